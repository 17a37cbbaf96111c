import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Brev } from '../brev/brev.ts';
import { copyToInstance } from '../brev/copy.ts';
import { message } from '../values/message.ts';
import { failed, type Outcome } from '../values/outcome.ts';
import { makeInputFolder } from './inputFolder.ts';
import type { RemoteOptions } from './shell.ts';

/**
 * Brings a script's input onto an instance where the route has no stdin: as a file that only its owner may read, here
 * and there. The one here is gone when this returns.
 */
export async function copyInput(
  brev: Pick<Brev, 'execute'>,
  instanceName: string,
  input: Uint8Array,
  remotePath: string,
  options: RemoteOptions,
): Promise<Outcome<void>> {
  let folder: string | undefined;
  try {
    folder = await makeInputFolder();
    const localFile = path.join(folder, 'input');
    // scp gives the copy the mode of the original
    await writeFile(localFile, input, { mode: 0o600 });
    const command = copyToInstance(localFile, instanceName, remotePath, options.timeoutMs);
    return command.kind === 'ok' ? await brev.execute(command.value, options.signal) : command;
  } catch (error) {
    return failed({
      kind: 'localFile',
      message: message('A temporary file could not be written: {0}', String(error)),
      retrySafe: true,
    });
  } finally {
    if (folder !== undefined) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
