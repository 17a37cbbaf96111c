import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const MEMORY = '/dev/shm';
/** What the tests of a run leave behind at the same time, many times over. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * A folder for the thousands of short-lived files of a run, in memory where that is large and lets programs run;
 * undefined where the usual one does. Its name is short: sockets are made in it, whose paths end at 107 bytes.
 */
export function temporaryDisk(): string | undefined {
  if (process.env.TMPDIR !== undefined) return undefined;
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ENOUGH_BYTES) return undefined;
    folder = mkdtempSync(path.join(MEMORY, 'b-'));
    // as /tmp is: some tests work as another user
    chmodSync(folder, 0o1777);
    // containers often mount it noexec
    const program = path.join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    return folder;
  } catch {
    // no such folder here, or none for this
    if (folder !== undefined) rmSync(folder, { recursive: true });
    return undefined;
  }
}
