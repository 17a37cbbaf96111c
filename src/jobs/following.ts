import type { JobEnd, Platform } from '../platforms/platform.ts';
import { type Clock, sleep } from '../process/clock.ts';
import { errorCode } from '../process/errorCode.ts';
import { type Lease, takeLease } from '../process/lease.ts';
import { type FollowProgress, followToEnd } from './follow.ts';
import { isTerminal, targetOf } from './job.ts';
import { judge, verdictOf } from './jobEnd.ts';
import type { JobDetails, JobFolders } from './jobFolder.ts';
import type { JobStore } from './jobStore.ts';
import { LocalLog } from './localLog.ts';
import type { JobState } from './record.ts';
import type { RecordStore } from './recordStore.ts';

export interface FollowingOptions {
  readonly store: JobStore;
  readonly records: RecordStore;
  readonly folders: JobFolders;
  readonly platformOf: (details: JobDetails) => Platform | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string) => void;
}

/** How often a window that doesn't follow a job looks whether it should, and what the record says. */
const OTHER_WINDOW_MS = 2_000;
/** When it is tried again after trouble on this computer, such as a full disk, or to reach a job that is to be cancelled. */
const TRY_AGAIN_MS = 5_000;
/** So many fresh lists in a row without its instance make the state of a job unknown. */
const GONE_LISTS = 3;

/** The end of a job whose window was closed before anything was launched. */
export const NEVER_LAUNCHED: JobEnd = {
  exitCode: undefined,
  step: 'launch',
  outOfMemory: false,
  error: 'its window was closed',
};

/** Follows jobs to their ends; of several windows one follows each. */
export class Following {
  readonly #options: FollowingOptions;
  readonly #following = new Map<string, AbortController>();
  #disposed = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /** Follows a job unless that is done already or its platform isn't known here; takes the lease over. */
  follow(details: JobDetails, lease?: Lease): void {
    const platform = this.#options.platformOf(details);
    if (platform === undefined || this.#following.has(details.id) || this.#disposed) {
      void lease?.release();
      return;
    }
    const abort = new AbortController();
    this.#following.set(details.id, abort);
    void this.#persistently(platform, details, abort.signal, lease).finally(() =>
      this.#following.delete(details.id),
    );
  }

  /** Stops following; the jobs themselves go on. */
  dispose(): void {
    this.#disposed = true;
    for (const following of this.#following.values()) {
      following.abort();
    }
  }

  /** Trouble on this computer, such as a full disk, passes; a job isn't left alone because of it. */
  async #persistently(
    platform: Platform,
    details: JobDetails,
    signal: AbortSignal,
    lease: Lease | undefined,
  ): Promise<void> {
    for (let held = lease; ; held = undefined) {
      try {
        await this.#inTurn(platform, details, signal, held);
        return;
      } catch (error) {
        this.#options.log(`job ${details.id}: ${String(error)}`);
        this.#options.store.show(details.id, { trouble: String(error) });
      }
      await sleep(this.#options.clock, TRY_AGAIN_MS, signal);
    }
  }

  /** Waits for this window's turn, then follows; another window may do it first. */
  async #inTurn(
    platform: Platform,
    details: JobDetails,
    signal: AbortSignal,
    held: Lease | undefined,
  ): Promise<void> {
    const { clock, folders, store } = this.#options;
    for (let lease = held; !signal.aborted; ) {
      try {
        lease ??= await takeLease(folders.leaseFile(details.id));
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') {
          throw error;
        }
        // another window has removed what was only begun of it
        store.forget(details.id);
        return;
      }
      if (lease !== undefined) {
        try {
          await this.#withLease(platform, details, signal);
        } finally {
          await lease.release();
        }
        await folders.removeEmpty(details.id);
        return;
      }
      await store.load(details);
      await sleep(clock, OTHER_WINDOW_MS, signal);
    }
    await held?.release();
  }

  /** The one window that has the lease brings the job to its end, as far as that isn't done. */
  async #withLease(platform: Platform, details: JobDetails, signal: AbortSignal): Promise<void> {
    const { folders, records, store } = this.#options;
    const job = await store.load(details);
    if (isTerminal(job.state)) {
      // whoever wrote that was closed before it could say so
      store.tell(job, verdictOf(job.state, job.note));
      return;
    }
    const launched = store.hasMark(details.id, 'launching');
    if (!launched && (await records.read(details.id)) === undefined) {
      // its window was killed before there was more of it than this folder
      await folders.clear(details.id);
      store.forget(details.id);
      return;
    }
    const end = launched ? await this.#out(platform, details, signal) : NEVER_LAUNCHED;
    if (end !== undefined) {
      await store.end(details, end);
    }
  }

  /** Follows until the job has ended; undefined when the signal came first. */
  async #out(platform: Platform, details: JobDetails, signal: AbortSignal): Promise<JobEnd | undefined> {
    const { clock, folders, random, store } = this.#options;
    await this.#cancelIfAsked(platform, details, signal);
    const opened: LocalLog[] = [];
    const openLog = (file: string): LocalLog => {
      const log = new LocalLog(file);
      opened.push(log);
      return log;
    };
    try {
      const logs = {
        log: openLog(folders.logFile(details.id)),
        status: openLog(folders.statusFile(details.id)),
      };
      return await followToEnd({
        platform,
        target: targetOf(details),
        logs,
        clock,
        random,
        signal,
        onProgress: this.#progressOf(details),
      });
    } finally {
      for (const log of opened) {
        log.close();
      }
      // the next window to follow it must find all steps of this one in the record
      await store.written(details.id);
    }
  }

  #progressOf(details: JobDetails): (progress: FollowProgress) => void {
    const { store } = this.#options;
    let gone = 0;
    return (progress) => {
      switch (progress.kind) {
        case 'bytes':
          store.show(details.id, { trouble: undefined });
          break;
        case 'step':
          gone = 0;
          store.show(details.id, { trouble: undefined });
          void this.#recordStep(details.id, progress.step);
          break;
        case 'truncated':
          store.show(details.id, {
            trouble: `the remote ${progress.stream} was cut to ${progress.size} bytes; the copy here keeps what it had`,
          });
          break;
        case 'reconnecting':
          store.show(details.id, { trouble: progress.reason });
          gone = progress.gone ? gone + 1 : 0;
          if (gone === GONE_LISTS) {
            void this.#lost(details, progress.reason);
          }
          break;
      }
    };
  }

  /** A cancel that could not be brought to the platform comes before anything else. */
  async #cancelIfAsked(platform: Platform, details: JobDetails, signal: AbortSignal): Promise<void> {
    const { clock, store } = this.#options;
    while (store.hasMark(details.id, 'cancel') && !signal.aborted) {
      await sleep(clock, TRY_AGAIN_MS, signal);
      const cancelled = await platform.cancel(targetOf(details), signal);
      if (cancelled.kind === 'ok') {
        store.unmark(details.id, 'cancel');
      }
    }
  }

  async #recordStep(id: string, step: string): Promise<void> {
    const { store } = this.#options;
    const why = /^unknown: (.*)$/.exec(step)?.[1];
    const state: JobState = why !== undefined ? 'UNKNOWN' : step === 'run' ? 'RUNNING' : 'PENDING';
    const note = why ?? step;
    const job = store.find(id);
    if (job === undefined || (job.state === state && job.note === note)) {
      return;
    }
    store.show(id, { state, note });
    await store.record(id, { state, message: note });
  }

  /** The instance isn't listed any more. It is looked for on: a list may lack what another account or list shows. */
  async #lost(details: JobDetails, reason: string): Promise<void> {
    const { store } = this.#options;
    await store.record(details.id, { state: 'UNKNOWN', message: reason });
    const job = await store.load(details);
    store.show(details.id, { trouble: reason });
    if (!isTerminal(job.state)) {
      store.tell(job, judge({ exitCode: undefined, step: 'lost', outOfMemory: false, error: reason }));
    }
  }
}
