import { stat } from 'node:fs/promises';
import type { Job } from './job.ts';

/** A window that didn't look for so long was asleep, and what came meanwhile isn't here yet. */
const GAP_MS = 60_000;

interface Watched {
  readonly since: number;
  readonly lookedAt: number;
}

/**
 * For how long running jobs have written nothing. That is no failure and no idleness: a GPU that hangs and one that
 * computes look the same (users.md F, ocean-node #1442). It is judged only while somebody can see: not over a sleep of
 * the computer, and not while the log can't be followed.
 */
export class Silence {
  readonly #watched = new Map<string, Watched>();

  /** Milliseconds, 0 for what isn't known to be silent. `lastOutputAt` is when something of it last arrived here. */
  of(job: Job, lastOutputAt: number | undefined, now: number): number {
    const { id } = job.details;
    if (job.state !== 'RUNNING' || job.trouble !== undefined) {
      this.#watched.delete(id);
      return 0;
    }
    const before = this.#watched.get(id);
    const since = before === undefined || now - before.lookedAt > GAP_MS ? now : before.since;
    this.#watched.set(id, { since, lookedAt: now });
    return Math.max(0, now - Math.max(since, lastOutputAt ?? 0));
  }
}

/** When the local copies of a job's output last grew, whichever window wrote them; undefined before the first byte. */
export async function lastOutputAt(files: readonly string[]): Promise<number | undefined> {
  const times = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mtimeMs, size }) => (size > 0 ? [mtimeMs] : []),
        // nothing has arrived yet
        () => [],
      ),
    ),
  );
  const known = times.flat();
  return known.length === 0 ? undefined : Math.max(...known);
}
