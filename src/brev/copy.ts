import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { type BrevCommand, nothing } from './command.ts';
import { requireUsableName } from './exec.ts';

/**
 * Copies a local file or folder onto an instance; the path there is absolute, or relative to the home directory. It takes
 * 5 s at least, and starts a stopped instance (brev-cli.md part 8).
 */
export function copyToInstance(
  localFile: string,
  name: string,
  remotePath: string,
  timeoutMs: number,
): Outcome<BrevCommand<void>> {
  return copy(name, remotePath, localFile, [localFile, `${name}:${remotePath}`], timeoutMs);
}

/** Copies a folder or file of an instance here, under the same terms. */
export function copyFromInstance(
  name: string,
  remotePath: string,
  localFile: string,
  timeoutMs: number,
): Outcome<BrevCommand<void>> {
  return copy(name, remotePath, localFile, [`${name}:${remotePath}`, localFile], timeoutMs);
}

function copy(
  name: string,
  remotePath: string,
  localFile: string,
  words: readonly [string, string],
  timeoutMs: number,
): Outcome<BrevCommand<void>> {
  const usable = requireUsableName(name);
  if (usable.kind !== 'ok') {
    return usable;
  }
  // any colon makes a path a remote one, and two make an error; a dash would begin a flag
  const odd = [localFile, remotePath].find((path) => path.includes(':') || path.startsWith('-'));
  return odd === undefined
    ? ok({
        name: 'copy',
        args: ['copy', ...words],
        timeoutMs,
        readOnly: false,
        parse: nothing,
      })
    : failed({
        kind: 'localFile',
        message: message('The Brev CLI cannot copy {0}: its path has a colon, or begins with a dash.', odd),
        retrySafe: false,
      });
}
