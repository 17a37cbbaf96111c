import type { RunSpec } from '../../tao/runSpec.ts';
import { copyFunction, inputLines } from '../copyLines.ts';

/** Stand for directories that only the instance knows; the supervisor puts the real paths in. */
const HOME = '@HOME@';
const JOB = '@JOB@';

/** Where the container finds its spec file. */
export const SPEC_PATH = '/job/spec.yaml';
/** Where a TAO spec usually puts its results; kept beside the job on the instance. */
export const RESULTS_PATH = '/results';

/** Where the container finds its secrets; the file is gone once it has read them. */
const SECRETS = '/run/brev-secrets';
/**
 * Stands before the program in its container. One stream for all output, so that how much of it is known is one number.
 * Secrets are read into the environment of the program alone: with --env docker would keep them in its own files.
 */
const ONE_STREAM = 'exec 2>&1';
const WITH_SECRETS = `. ${SECRETS}/env && rm -f ${SECRETS}/env || { echo "the secrets of this job can't be read"; exit 97; }`;
const PROGRAM = 'exec "$@"';

/**
 * The arguments of `docker create` for a job, image and command included (tao.md parts 2 and 6):
 * named and labelled after the job, never --rm, with the shared memory that data loaders need.
 */
export function containerArguments(
  jobId: string,
  spec: Pick<RunSpec, 'gpus' | 'image' | 'inputs'>,
  program: readonly string[],
  withSecrets = false,
): readonly string[] {
  const { gpus, image, inputs = [] } = spec;
  return [
    '--name',
    jobId,
    '--label',
    `tao-job=${jobId}`,
    // a machine without GPUs has nothing that docker could give
    ...(gpus === 0 ? [] : ['--gpus', String(gpus)]),
    '--ipc=host',
    '--ulimit',
    'memlock=-1',
    '--ulimit',
    'stack=67108864',
    '--restart',
    'no',
    '--log-driver',
    // the one that keeps bytes as they are: json-file replaces what isn't UTF-8
    'local',
    '--log-opt',
    'max-size=200m',
    '--log-opt',
    'max-file=5',
    '--env',
    'PYTHONUNBUFFERED=1',
    '--env',
    `TAO_JOB_ID=${jobId}`,
    '-v',
    `${HOME}/data:/data`,
    '-v',
    `${JOB}/spec.yaml:${SPEC_PATH}:ro`,
    '-v',
    `${JOB}/results:${RESULTS_PATH}`,
    ...(withSecrets ? ['-v', `${JOB}/secrets:${SECRETS}`] : []),
    image,
    'bash',
    '-c',
    [
      ONE_STREAM,
      ...(withSecrets ? [WITH_SECRETS] : []),
      ...(inputs.length === 0 ? [] : [copyFunction, ...inputLines(inputs)]),
      PROGRAM,
    ].join('\n'),
    'brev-instances',
    ...program,
  ];
}
