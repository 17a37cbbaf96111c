import { DockerFailure } from './failure.ts';
import type { ParsedLine } from './flags.ts';

/** Fails as docker 28 does when there are too few or too many words. */
export function needWords({ line, words }: ParsedLine, least: number, most = Number.POSITIVE_INFINITY): void {
  if (words.length >= least && words.length <= most) return;
  const exact = least === most;
  const count = `${exact ? '' : words.length < least ? 'at least ' : 'at most '}${words.length < least ? least : most}`;
  const noun = count.endsWith('1') ? 'argument' : 'arguments';
  const hint = exact ? 'Run' : 'See';
  throw new DockerFailure(
    `docker: 'docker ${line.command}' requires ${count} ${noun}\n\nUsage:  docker ${line.command} ${line.usage}\n\n${hint} 'docker ${line.command} --help' for more information`,
  );
}
