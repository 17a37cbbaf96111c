import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import prepareUploadScript from './prepareUpload.sh';
import type { RemoteOptions, RemoteShell } from './shell.ts';

/** A folder on an instance that something is brought into. */
export interface UploadPlace {
  /** Absolute. */
  readonly path: string;
  /** Those of the names that are in it already. */
  readonly taken: readonly string[];
}

/** Makes a folder where it isn't there, and looks which of the names are taken in it, however much it holds. */
export async function prepareUpload(
  shell: Pick<RemoteShell, 'run'>,
  folder: string,
  names: readonly string[],
  options: RemoteOptions,
): Promise<Outcome<UploadPlace>> {
  const answer = await shell.run({ text: prepareUploadScript, args: [folder, ...names] }, options);
  if (answer.kind !== 'ok') {
    return answer;
  }
  const [line, payload = ''] = answer.value.stdout.split('\n');
  if (line === 'noFolder' || line === 'forbidden') {
    return failed({
      kind: 'remoteFailed',
      message:
        line === 'noFolder'
          ? message('{0} is no folder.', folder)
          : message('Your user on the instance may not write into {0}.', folder),
      retrySafe: true,
    });
  }
  const [path, ...taken] = Buffer.from(payload, 'base64').toString('utf8').split('\0').slice(0, -1);
  return line === 'at' && path !== undefined
    ? ok({ path, taken })
    : failed({
        kind: 'unreadableAnswer',
        message: message('What is in {0} could not be read.', folder),
        action: 'showLog',
        retrySafe: true,
      });
}
