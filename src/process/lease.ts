import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { errorCode } from './errorCode.ts';

/** Held by one process at a time, such as the window that follows a job: two must never write the same local log. */
export interface Lease {
  release(): Promise<void>;
}

/** A guard that is older was left by a process that died between two lines. */
const STALE_GUARD_MS = 10_000;

/** Takes the lease, or returns undefined while another living process has it. */
export async function takeLease(file: string): Promise<Lease | undefined> {
  // linked into place with its content: nobody ever sees a lease that doesn't say whose it is
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, await identity(process.pid), { mode: 0o600 });
  try {
    const taken = (await claimed(draft, file)) || (await takenOver(draft, file));
    return taken ? { release: () => rm(file, { force: true }) } : undefined;
  } finally {
    await rm(draft, { force: true });
  }
}

async function claimed(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw error;
    }
    return false;
  }
}

/** Takes a lease whose holder is dead; of several that see it only one gets behind the guard. */
async function takenOver(draft: string, file: string): Promise<boolean> {
  if ((await holderOf(file)) !== 'dead') {
    // alive; or released a moment ago, and then somebody else's as soon as it is linked: removing it would be theft
    return false;
  }
  const guard = `${file}.guard`;
  try {
    await mkdir(guard);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw error;
    }
    await removeStaleGuard(guard);
    return false;
  }
  try {
    // looked at again: whoever was behind the guard before may have taken it
    if ((await holderOf(file)) !== 'dead') {
      return false;
    }
    await rm(file, { force: true });
    return await claimed(draft, file);
  } finally {
    await rmdir(guard);
  }
}

async function removeStaleGuard(guard: string): Promise<void> {
  try {
    if (Date.now() - (await stat(guard)).mtimeMs > STALE_GUARD_MS) {
      await rmdir(guard);
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') {
      throw error;
    }
  }
}

/** What became of whom the lease names; a number that was given to another process since doesn't count as alive. */
async function holderOf(file: string): Promise<'nobody' | 'alive' | 'dead'> {
  let holder: string;
  try {
    holder = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') {
      throw error;
    }
    return 'nobody';
  }
  const fields = /^(\d+)(?: (\d+))?$/.exec(holder.trim());
  const pid = Number(fields?.[1]);
  if (!(pid > 0) || !isAlive(pid)) {
    return 'dead';
  }
  const [, now] = (await identity(pid)).split(' ');
  return fields?.[2] === undefined || now === undefined || fields[2] === now ? 'alive' : 'dead';
}

/** A process's number, and where the system tells it (Linux) the time of its start. */
async function identity(pid: number): Promise<string> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    // the name in parentheses may contain anything; the start is the 20th field after it
    const start = status.slice(status.lastIndexOf(')') + 2).split(' ')[19];
    return start === undefined ? String(pid) : `${pid} ${start}`;
  } catch {
    // no /proc here, or the process ended meanwhile: its number must do
    return String(pid);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: alive, and somebody else's
    return errorCode(error) === 'EPERM';
  }
}
