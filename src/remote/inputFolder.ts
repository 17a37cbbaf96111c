import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorCode } from '../process/errorCode.ts';

const NAME = /^brev-input-(\d+)-\w{6}$/;

/** A private folder for a secret on its way; it says whose it is, so that another window can remove what is left of it. */
export function makeInputFolder(base = tmpdir()): Promise<string> {
  return mkdtemp(path.join(base, `brev-input-${process.pid}-`));
}

/** Removes the folders of windows that were killed before they could. */
export async function removeAbandonedInputs(base = tmpdir()): Promise<void> {
  for (const name of await readdir(base)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) {
      // another user's can't be removed, and is none of our business
      await rm(path.join(base, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
