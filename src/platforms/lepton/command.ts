import type { JobWork } from '../../tao/runSpec.ts';
import { taoCommand } from '../../tao/taoCommand.ts';
import { unreachable } from '../../values/unreachable.ts';
import { copyFunction, inputLines } from '../copyLines.ts';
import type { LeptonOutput, LeptonPlacement } from './placement.ts';
import rendezvousScript from './rendezvous.sh';

/** Where its files are in the container; the program itself runs where the image says. */
const FOLDER = '"$folder"';
/** Stands for the spec's path, which only the shell knows. */
const SPEC = '@SPEC@';
/** Ours, in every replica's log; its place in the text is checked against the job's state before it counts. */
const EXIT_LINE = 'tao-job';

/**
 * What each replica runs, as the argument of `bash -c`. All of it is base64: `lep job get` eats and chokes on what stands
 * in brackets in a command (tao.md part 4), and nothing needs quoting.
 */
export function leptonCommand(jobId: string, work: JobWork, placement: LeptonPlacement): string {
  const script = [
    'set -u; sent=0',
    `folder="\${TMPDIR:-/tmp}/tao-job"`,
    `mkdir -p ${FOLDER} || exit 125`,
    ...(placement.nodes > 1 ? [rendezvousScript] : []),
    ...copies(placement),
    ...program(work),
    'code=$?',
    ...(placement.outputs ?? []).map((copy) => `${sendLine(copy)} || sent=1`),
    // results that didn't arrive aren't there: the job has failed then, whatever the program says
    'if [ "$sent" != 0 ] && [ "$code" = 0 ]; then code=74; fi',
    `printf '\\n[${EXIT_LINE} %s] exit code %s\\n' ${quote(jobId)} "$code"`,
    'exit "$code"',
  ].join('\n');
  return `eval "$(echo ${base64(script)} | base64 -d)"`;
}

/** The exit codes that a replica's log tells. */
export function exitCodeIn(jobId: string, log: string): number | undefined {
  const line = `[${EXIT_LINE} ${jobId}] exit code `;
  const at = log.lastIndexOf(line);
  const code = at < 0 ? undefined : /^\d{1,3}(?=\n)/.exec(log.slice(at + line.length))?.[0];
  return code === undefined ? undefined : Number(code);
}

function copies({ inputs = [], outputs = [] }: LeptonPlacement): readonly string[] {
  if (inputs.length + outputs.length === 0) {
    return [];
  }
  return [
    copyFunction,
    ...inputLines(inputs),
    ...outputs.map(({ kind, path }) =>
      kind === 'folder' ? `mkdir -p ${quote(path)}` : `mkdir -p "$(dirname ${quote(path)})"`,
    ),
  ];
}

/** Of several nodes the first one sends: they would overwrite each other's files. */
function sendLine({ failedUri = '', kind, path, uri }: LeptonOutput): string {
  const target =
    failedUri === '' ? quote(uri) : `"$([ "$code" = 0 ] && echo ${quote(uri)} || echo ${quote(failedUri)})"`;
  return `[ "\${NODE_RANK:-0}" != 0 ] || copy ${kind} ${quote(path)} ${target}`;
}

function program(work: JobWork): readonly string[] {
  switch (work.kind) {
    case 'command':
      return [`echo ${base64(work.command)} | base64 -d > ${FOLDER}/command`, `bash ${FOLDER}/command`];
    case 'spec':
      return [
        `echo ${Buffer.from(work.spec.specFile.content).toString('base64')} | base64 -d > ${FOLDER}/spec.yaml`,
        taoCommand(work.spec, SPEC)
          .map((word) => (word === SPEC ? `${FOLDER}/spec.yaml` : quote(word)))
          .join(' '),
      ];
    default:
      return unreachable(work);
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
