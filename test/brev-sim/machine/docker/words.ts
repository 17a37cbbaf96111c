import { DockerFailure } from './failure.ts';
import type { ParsedLine } from './flags.ts';

/** Fails as docker 28 does when there are too few or too many words. */
export function needWords({ line, words }: ParsedLine, least: number, most = Number.POSITIVE_INFINITY): void {
  if (words.length >= least && words.length <= most) return;
  const [what, hint] = complaint(least, most);
  throw new DockerFailure(
    `docker: 'docker ${line.command}' ${what}\n\nUsage:  docker ${line.command} ${line.usage}\n\n${hint} 'docker ${line.command} --help' for more information`,
  );
}

/** The hint's odd words, the slip "SRun" among them, are docker 28.2.2's own. */
function complaint(least: number, most: number): [string, string] {
  const counted = (count: number): string => `${count} argument${count === 1 ? '' : 's'}`;
  if (most === 0) return ['accepts no arguments', 'Run'];
  if (least === most) return [`requires ${counted(least)}`, 'Run'];
  if (most === Number.POSITIVE_INFINITY) return [`requires at least ${counted(least)}`, 'See'];
  if (least === 0) return [`requires at most ${counted(most)}`, 'SRun'];
  return [`requires at least ${least} and at most ${counted(most)}`, 'Run'];
}
