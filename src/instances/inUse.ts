import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Lease, takeLease } from '../process/lease.ts';

/** On which instances somebody has a terminal open, in any window of this computer; who died counts no more. */
export class InUse {
  readonly #folder: string;
  readonly #window: string;
  /** What this window holds, by instance; each step waits for the one before. */
  readonly #held = new Map<string, Promise<Lease | undefined>>();

  /** Windows share the folder; `window` tells them apart. */
  constructor(folder: string, window = String(process.pid)) {
    this.#folder = folder;
    this.#window = window;
  }

  /** Says that this window uses an instance. */
  begin(instanceId: string): Promise<void> {
    return this.#step(instanceId, async (lease) => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      return lease ?? takeLease(path.join(this.#folder, `${prefixOf(instanceId)}${this.#window}`));
    });
  }

  /** Says that this window uses it no more. */
  end(instanceId: string): Promise<void> {
    return this.#step(instanceId, async (lease) => {
      await lease?.release();
      return undefined;
    });
  }

  /** Taken by one window at a time, such as the one that asks about the instance. */
  async turn(instanceId: string): Promise<Lease | undefined> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return takeLease(path.join(this.#folder, encodeURIComponent(instanceId)));
  }

  async anywhere(instanceId: string): Promise<boolean> {
    for (const name of await namesIn(this.#folder)) {
      if (name.startsWith(prefixOf(instanceId)) && /^\d+$/.test(name.slice(prefixOf(instanceId).length))) {
        const left = await takeLease(path.join(this.#folder, name));
        if (left === undefined) {
          return true;
        }
        await left.release();
      }
    }
    return false;
  }

  async #step(
    instanceId: string,
    next: (lease: Lease | undefined) => Promise<Lease | undefined>,
  ): Promise<void> {
    const before = this.#held.get(instanceId) ?? Promise.resolve(undefined);
    const after = before.catch(() => undefined).then(next);
    this.#held.set(instanceId, after);
    await after;
  }
}

/** An id comes from outside, and is to name a file. */
function prefixOf(instanceId: string): string {
  return `${encodeURIComponent(instanceId)}@`;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    // nobody has had a terminal on this computer yet
    return [];
  }
}
