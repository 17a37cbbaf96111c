import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, rename, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, sleep } from '../process/clock.ts';
import { errorCode } from '../process/errorCode.ts';
import { replaceFile } from '../process/replaceFile.ts';

/** A lock older than that was left by a process that died, or sleeps with its computer. */
const STALE_MS = 10_000;
const WAIT_LIMIT_MS = 30_000;
const RETRY_MS = 10;

/**
 * The right to replace a file, held by whoever's draft lies in the folder `FILE.lock` beside it. The draft itself
 * becomes the file, so a holder that was taken for dead has lost its draft with the lock and can overwrite nothing.
 */
export class DraftLock {
  readonly #target: string;
  readonly #folder: string;
  readonly #id: string;

  private constructor(target: string, id: string) {
    this.#target = target;
    this.#folder = `${target}.lock`;
    this.#id = id;
  }

  /** Takes the lock; undefined when others held it all the time. */
  static async take(target: string, clock: Clock): Promise<DraftLock | undefined> {
    const lock = new DraftLock(target, randomUUID());
    const prepared = `${target}.${lock.#id}`;
    await mkdir(prepared, { mode: 0o700 });
    try {
      await writeFile(path.join(prepared, lock.#id), '', { mode: 0o600, flag: 'wx' });
      const deadline = clock.now() + WAIT_LIMIT_MS;
      const patience = new Patience();
      while (clock.now() < deadline) {
        const seconds = clock.now() / 1_000;
        await utimes(prepared, seconds, seconds);
        if (await lock.#occupy(prepared)) {
          return lock;
        }
        if (await patience.isOver(lock.#folder, clock.now())) {
          await removeAside(lock.#folder, `${prepared}.stale`);
        } else {
          await sleep(clock, RETRY_MS);
        }
      }
      return undefined;
    } finally {
      await rm(prepared, { recursive: true, force: true });
    }
  }

  /** Makes the text the file, with mode 0600, and frees the lock. False when the lock had been taken away. */
  async commit(text: string): Promise<boolean> {
    const draft = path.join(this.#folder, this.#id);
    try {
      // r+ makes no file: without the draft the lock is somebody else's
      const file = await open(draft, 'r+');
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await replaceFile(draft, this.#target);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') {
        return false;
      }
      throw error;
    }
    await removeIfEmpty(this.#folder);
    return true;
  }

  /** Frees the lock if it is still held. */
  async release(): Promise<void> {
    await rm(path.join(this.#folder, this.#id), { force: true });
    await removeIfEmpty(this.#folder);
  }

  async #occupy(prepared: string): Promise<boolean> {
    // an empty folder is a free lock; not every system renames over one
    await removeIfEmpty(this.#folder);
    try {
      await rename(prepared, this.#folder);
      return true;
    } catch (error) {
      if (isOneOf(error, ['ENOTEMPTY', 'EEXIST', 'EPERM'])) {
        return false;
      }
      throw error;
    }
  }
}

/** Decides when a lock is stale: by its age, and by how long it has been seen where clocks differ. */
class Patience {
  #seen: { readonly lock: string; readonly since: number } | undefined;

  async isOver(folder: string, now: number): Promise<boolean> {
    try {
      const { ino, mtimeMs } = await lstat(folder);
      const lock = `${ino} ${mtimeMs}`;
      if (this.#seen?.lock !== lock) {
        this.#seen = { lock, since: now };
      }
      return now - mtimeMs > STALE_MS || now - this.#seen.since > STALE_MS;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') {
        // freed meanwhile
        return false;
      }
      throw error;
    }
  }
}

/** Renamed first, so that of several who see the same stale lock one removes it. */
async function removeAside(folder: string, aside: string): Promise<void> {
  try {
    await rename(folder, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return;
    }
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!isOneOf(error, ['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM'])) {
      throw error;
    }
  }
}

function isOneOf(error: unknown, codes: readonly string[]): boolean {
  const code = errorCode(error);
  return code !== undefined && codes.includes(code);
}
