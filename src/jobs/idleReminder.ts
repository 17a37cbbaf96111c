import { type Instance, isOn } from '../instances/instance.ts';
import type { InUse } from '../instances/inUse.ts';
import type { SeenOn } from '../instances/seenOn.ts';
import type { InstanceStore } from '../instances/store.ts';
import type { Clock } from '../process/clock.ts';
import { Emitter, type Listen } from '../values/emitter.ts';
import { type IdlePeriod, idlePeriods } from './idlePeriods.ts';
import type { JobMarks } from './jobMarks.ts';
import type { Jobs } from './jobs.ts';

export interface IdleReminderOptions {
  readonly jobs: Pick<Jobs, 'all' | 'onChange' | 'readForeign'>;
  readonly marks: Pick<JobMarks, 'has' | 'set'>;
  readonly store: Pick<InstanceStore, 'find' | 'listing' | 'needsUser' | 'onChange' | 'refresh'>;
  readonly seenOn: Pick<SeenOn, 'since'>;
  /** Also where the windows agree on who speaks. */
  readonly inUse: Pick<InUse, 'anywhere' | 'turn'>;
  /** After how long an instance counts as forgotten; 0 for never. */
  readonly idleMs: () => number;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** An instance that is on although nothing of ours has run there for a while. */
export interface IdleInstance {
  readonly instance: Instance;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Many jobs are found at once when a window opens. */
const SETTLE_MS = 1_000;
/** A window that has just opened has other things to do, and may show the list anyway. */
const QUIET_START_MS = 60_000;
/** After a list that failed. */
const TRY_AGAIN_MS = 5 * 60_000;
/** While another window is about to speak. */
const OTHER_WINDOW_MS = 60_000;
/** The ends of longer ago say nothing any more: for most of them the instance is long gone. */
const FORGOTTEN_MS = 60 * 24 * 3_600_000;
/** The longest time that a timer takes. */
const LONGEST_TIMER_MS = 24 * 3_600_000;

/** Tells once for each idle period, in one window of all, that an instance goes on costing money. */
export class IdleReminder {
  readonly #options: IdleReminderOptions;
  readonly #idle = new Emitter<IdleInstance>();
  readonly #unsubscribe: (() => void)[];
  /** Not to be looked at before that, by the id of the period's job. */
  readonly #notBefore = new Map<string, number>();
  /** When a terminal on an instance was last known to be open. */
  readonly #lastUsed = new Map<string, number>();
  /** Instances that a fresh list didn't have: another account may have them, so that is no end. */
  readonly #unlisted = new Set<string>();
  readonly #quietUntil: number;
  #cancelTimer: (() => void) | undefined;
  #settling = false;
  #looking = false;
  #disposed = false;

  readonly onIdle: Listen<IdleInstance> = this.#idle.listen;

  constructor(options: IdleReminderOptions) {
    this.#options = options;
    this.#quietUntil = options.clock.now() + QUIET_START_MS;
    this.#unsubscribe = [
      options.jobs.onChange(() => this.look()),
      options.store.onChange(({ added, changed, listing }) => {
        for (const { id } of added) {
          this.#unlisted.delete(id);
        }
        if (listing || added.length > 0 || changed.length > 0) {
          this.look();
        }
      }),
    ];
  }

  /** Says that a terminal on an instance was open until now. */
  used(instanceId: string): void {
    this.#lastUsed.set(instanceId, this.#options.clock.now());
    this.look();
  }

  /** Thinks again about what is due when, as after the time was set anew. */
  look(): void {
    if (!this.#settling && !this.#looking && !this.#disposed) {
      this.#settling = true;
      this.#cancelTimer?.();
      this.#cancelTimer = this.#options.clock.after(SETTLE_MS, () => {
        this.#settling = false;
        this.#schedule();
      });
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#cancelTimer?.();
    for (const unsubscribe of this.#unsubscribe) {
      unsubscribe();
    }
  }

  #schedule(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { clock, store } = this.#options;
    // signed out, nothing is asked; the store tells when that is over
    const due = this.#disposed || store.needsUser ? [] : this.#open().map((period) => this.#dueAt(period));
    if (due.length > 0) {
      const inMs = Math.min(LONGEST_TIMER_MS, Math.max(0, Math.min(...due) - clock.now()));
      this.#cancelTimer = clock.after(inMs, () => void this.#speakOfDue());
    }
  }

  /** The periods of which nobody has spoken. */
  #open(): readonly IdlePeriod[] {
    const { clock, idleMs, jobs, marks } = this.#options;
    if (idleMs() <= 0) {
      return [];
    }
    return idlePeriods(jobs.all).filter(
      ({ instanceId, jobId, since }) =>
        clock.now() - since < FORGOTTEN_MS &&
        !this.#unlisted.has(instanceId) &&
        !marks.has(jobId, 'idle-told'),
    );
  }

  /** An instance that was started later, or worked on by hand, is idle from then on. */
  #since({ instanceId, since }: IdlePeriod): number {
    return Math.max(since, this.#options.seenOn.since(instanceId) ?? 0, this.#lastUsed.get(instanceId) ?? 0);
  }

  #dueAt(period: IdlePeriod): number {
    return Math.max(
      this.#since(period) + this.#options.idleMs(),
      this.#notBefore.get(period.jobId) ?? 0,
      this.#quietUntil,
    );
  }

  #isDue(period: IdlePeriod): boolean {
    return this.#dueAt(period) <= this.#options.clock.now();
  }

  async #speakOfDue(): Promise<void> {
    this.#looking = true;
    try {
      for (const period of this.#open().filter((each) => this.#isDue(each))) {
        await this.#inTurn(period);
      }
    } catch (error) {
      this.#options.log(`idle instances: ${String(error)}`);
      for (const { jobId } of this.#open()) {
        this.#later(jobId, TRY_AGAIN_MS);
      }
    } finally {
      this.#looking = false;
      this.#schedule();
    }
  }

  async #inTurn(period: IdlePeriod): Promise<void> {
    const { clock, inUse } = this.#options;
    if (await inUse.anywhere(period.instanceId)) {
      this.#lastUsed.set(period.instanceId, clock.now());
      return;
    }
    const lease = await inUse.turn(period.instanceId);
    if (lease === undefined) {
      this.#later(period.jobId, OTHER_WINDOW_MS);
      return;
    }
    try {
      await this.#speak(period);
    } finally {
      await lease.release();
    }
  }

  /** Looks afresh: it is never spoken of an instance that is gone, off, or at work again. */
  async #speak({ instanceId, jobId }: IdlePeriod): Promise<void> {
    const { jobs, marks, store } = this.#options;
    const listed = await store.refresh();
    if (listed.kind !== 'ok') {
      this.#later(jobId, TRY_AGAIN_MS);
      return;
    }
    await jobs.readForeign();
    const period = this.#open().find((each) => each.jobId === jobId);
    const instance = store.find(instanceId);
    if (instance === undefined) {
      this.#unlisted.add(instanceId);
    } else if (instance.status === 'stopped' || instance.status === 'deleting') {
      // somebody has thought of it
      marks.set(jobId, 'idle-told');
    } else if (!isOn(instance)) {
      this.#later(jobId, this.#options.idleMs());
    } else if (period !== undefined && this.#isDue(period) && marks.set(jobId, 'idle-told')) {
      this.#idle.emit({ instance, since: this.#since(period) });
    }
  }

  #later(jobId: string, ms: number): void {
    this.#notBefore.set(jobId, this.#options.clock.now() + ms);
  }
}
