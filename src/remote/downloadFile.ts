import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { replaceFile } from '../process/replaceFile.ts';
import { message } from '../values/message.ts';
import { failed, type Outcome } from '../values/outcome.ts';
import type { RemoteOptions, RemoteShell } from './shell.ts';

/** Downloads a file to this computer; it gets its name only when it is whole. Tells its size. */
export async function downloadFile(
  shell: Pick<RemoteShell, 'download'>,
  remotePath: string,
  localFile: string,
  options: RemoteOptions,
): Promise<Outcome<number>> {
  const partial = `${localFile}.${process.pid}.part`;
  try {
    const file = openSync(partial, 'w', 0o600);
    let outcome: Outcome<number>;
    try {
      // at once, so that no more is in memory than came in one piece
      outcome = await shell.download(remotePath, (chunk) => writeAll(file, chunk), options);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (outcome.kind === 'ok') {
      await replaceFile(partial, localFile);
    }
    return outcome;
  } catch (error) {
    return failed({
      kind: 'localFile',
      message: message('{0} could not be written: {1}', localFile, String(error)),
      retrySafe: true,
    });
  } finally {
    await rm(partial, { force: true });
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written);
  }
}
