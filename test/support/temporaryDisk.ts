import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
/** What the tests of a run leave behind at the same time, many times over. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/** Where tests make their thousands of short-lived files: in memory, where that is large and lets programs run. */
export function temporaryDisk(): string {
  return process.env.TMPDIR === undefined && isUsable(MEMORY) ? MEMORY : tmpdir();
}

function isUsable(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < ENOUGH_BYTES) return false;
    const own = mkdtempSync(path.join(folder, 'brev-'));
    try {
      // containers often mount it noexec
      const program = path.join(own, 'program');
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
      execFileSync(program);
      return true;
    } finally {
      rmSync(own, { recursive: true });
    }
  } catch {
    // no such folder here, or none to write in: the usual one does
    return false;
  }
}
