import { open, readFile, rename, rm } from 'node:fs/promises';

/** Held by the one window that follows a job, so that two never write the same local log. */
export interface Lease {
  release(): Promise<void>;
}

/** Takes the lease, or returns undefined while another living process has it. */
export async function takeLease(file: string, pid: number = process.pid): Promise<Lease | undefined> {
  // one stale lease may be in the way; then it is the turn of whoever is faster
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const handle = await open(file, 'wx');
      await handle.writeFile(String(pid));
      await handle.close();
      return { release: () => rm(file, { force: true }) };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
        throw error;
      }
    }
    const holder = await readHolder(file);
    if (holder === undefined || holder === pid || isAlive(holder)) {
      return undefined;
    }
    // renamed before it is removed: of two windows that see the same stale lease only one succeeds
    const stale = `${file}.${pid}.stale`;
    try {
      await rename(file, stale);
    } catch {
      return undefined;
    }
    if ((await readHolder(stale)) === holder) {
      await rm(stale, { force: true });
    } else {
      // somebody had taken it between the look and the rename: give it back
      await rename(stale, file);
      return undefined;
    }
  }
  return undefined;
}

async function readHolder(file: string): Promise<number | undefined> {
  try {
    const pid = Number(await readFile(file, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    // released meanwhile
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: alive, and somebody else's
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
