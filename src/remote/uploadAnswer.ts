import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import type { RemoteAnswer } from './shell.ts';

/** What an upload's script answered, as the upload's own outcome. */
export function uploaded(
  answer: Outcome<RemoteAnswer>,
  files: readonly { readonly path: string }[],
): Outcome<void> {
  if (answer.kind !== 'ok') {
    return answer;
  }
  if (answer.value.exitCode === 0) {
    return ok(undefined);
  }
  const names = [...new Set(files.map(({ path }) => path.split('/').at(-1)))].join(', ');
  const full = /No space left on device/.test(answer.value.stdout);
  return failed({
    kind: full ? 'diskFull' : 'remoteFailed',
    message: full
      ? message('The disk of the instance is full: {0} could not be uploaded.', names)
      : message('{0} could not be uploaded to the instance.', names),
    action: 'showLog',
    retrySafe: true,
    detail: answer.value.stdout,
  });
}
