import type { Clock } from '../process/clock.ts';

/** So soon after the computer woke up it is polled, if that is due. */
const GLANCE_MS = 5_000;

export interface PollerOptions {
  readonly clock: Clock;
  readonly poll: () => Promise<void>;
  /** Asked after each poll; undefined means that nobody needs the next one. */
  readonly intervalMs: () => number | undefined;
}

/**
 * Calls `poll` again and again while somebody needs it. Calls never overlap: a request during a poll is answered by
 * one more poll after it, however many requests there were.
 */
export class Poller {
  readonly #options: PollerOptions;
  #cancelTimer: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #disposed = false;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  /** Polls now; resolves when a poll that began after this call has ended. */
  pollNow(): Promise<void> {
    if (this.#disposed) {
      return Promise.resolve();
    }
    if (this.#running === undefined) {
      return this.#start();
    }
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#disposed ? undefined : this.#start();
    });
    return this.#next;
  }

  /** Asks for the interval again, for instance when a view became visible. */
  reschedule(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#disposed || this.#running !== undefined) {
      return;
    }
    const interval = this.#options.intervalMs();
    if (interval !== undefined) {
      this.#wait(this.#options.clock.now() + interval, interval);
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#cancelTimer?.();
  }

  /** Looks at the clock now and then: while the computer sleeps, timers stand still (users.md G, coder #846). */
  #wait(dueAt: number, ms: number): void {
    this.#cancelTimer = this.#options.clock.after(Math.min(ms, GLANCE_MS), () => {
      const left = dueAt - this.#options.clock.now();
      if (left <= 0 || left > ms) {
        // due, or a clock that was set back: then nobody knows how long it has been
        void this.pollNow();
      } else {
        this.#wait(dueAt, left);
      }
    });
  }

  #start(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#running = this.#options.poll().finally(() => {
      this.#running = undefined;
      this.reschedule();
    });
    return this.#running;
  }
}
