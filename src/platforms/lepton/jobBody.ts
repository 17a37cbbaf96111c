import type { JobWork } from '../../tao/runSpec.ts';
import { message } from '../../values/message.ts';
import { failed, type Outcome, ok } from '../../values/outcome.ts';
import type { JobSecrets } from '../platform.ts';
import { leptonCommand } from './command.ts';
import { unusableJob } from './failures.ts';
import { leptonJobName } from './jobName.ts';
import type { LeptonPlacement } from './placement.ts';

/** The body that creates a job (tao.md part 4). */
export interface LeptonJobBody {
  readonly metadata: { readonly id: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly resource_shape: string;
    readonly affinity?: { readonly allowed_dedicated_node_groups: readonly string[] };
    readonly container: { readonly image: string; readonly command: readonly string[] };
    readonly completions: number;
    readonly parallelism: number;
    readonly intra_job_communication?: true;
    readonly envs: readonly LeptonVariableBody[];
    readonly image_pull_secrets: readonly string[];
    readonly shared_memory_size?: number;
    readonly ttl_seconds_after_finished: number;
    readonly max_failure_retry: 0;
  };
}

type LeptonVariableBody =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly value_from: { readonly secret_name_ref: string } };

/** The kernel takes no longer argument; what is more must come from S3. */
const LONGEST_COMMAND = 100_000;
/** As lep's own default: an ended job's log stays for three days. */
const KEEP_SECONDS = 259_200;

/** The secrets that the workspace must have for a job: the variable, and the secret's name there. */
export function secretReferences(
  secrets: JobSecrets,
  placement: LeptonPlacement,
): readonly { readonly variable: string; readonly secret: string }[] {
  const variables = new Set([...secrets.environment.keys(), ...Object.keys(placement.secretNames ?? {})]);
  return [...variables].map((variable) => ({
    variable,
    secret: placement.secretNames?.[variable] ?? variable,
  }));
}

/** What is sent to create a job, or why it can't be one. No secret's value is in it. */
export function jobBody(
  jobId: string,
  work: JobWork,
  secrets: JobSecrets,
  placement: LeptonPlacement,
): Outcome<LeptonJobBody> {
  const { nodes, nodeGroup, resourceShape, sharedMemoryMib } = placement;
  const image = work.kind === 'spec' ? work.spec.image : (placement.image ?? work.container?.image ?? '');
  if (!Number.isInteger(nodes) || nodes < 1) {
    return failed(unusableJob(message('A job on Lepton has one node or more, not {0}.', nodes)));
  }
  if (resourceShape === '') {
    return failed(unusableJob(message('A job on Lepton needs a resource shape, such as gpu.8xh100-80gb.')));
  }
  if (image === '') {
    return failed(unusableJob(message('A job on Lepton needs a container image.')));
  }
  const command = leptonCommand(jobId, work, placement);
  if (command.length > LONGEST_COMMAND) {
    return failed(
      unusableJob(message('The spec or command is too long for a job on Lepton; put it into S3.')),
    );
  }
  return ok({
    metadata: { id: leptonJobName(jobId), labels: { 'tao-job-id': jobId } },
    spec: {
      resource_shape: resourceShape,
      ...(nodeGroup === undefined ? {} : { affinity: { allowed_dedicated_node_groups: [nodeGroup] } }),
      container: { image, command: ['/bin/bash', '-c', command] },
      completions: nodes,
      parallelism: nodes,
      // without it the nodes have no names for each other
      ...(nodes > 1 ? { intra_job_communication: true } : {}),
      envs: [
        { name: 'PYTHONUNBUFFERED', value: '1' },
        { name: 'TAO_JOB_ID', value: jobId },
        ...Object.entries(placement.environment ?? {}).map(([name, value]) => ({ name, value })),
        ...secretReferences(secrets, placement).map(({ variable, secret }) => ({
          name: variable,
          value_from: { secret_name_ref: secret },
        })),
      ],
      image_pull_secrets: placement.imagePullSecrets ?? [],
      ...(sharedMemoryMib === undefined ? {} : { shared_memory_size: sharedMemoryMib }),
      ttl_seconds_after_finished: placement.keepSeconds ?? KEEP_SECONDS,
      // a retry of Lepton's own would be a second run that no record knows
      max_failure_retry: 0,
    },
  });
}
