import type { Clock } from '../../src/process/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is turned. It begins on a fixed day, so that timestamps can be compared. */
export class FakeClock implements Clock {
  #now: number;
  /** In the order in which they were set: of two that are due together the older one goes first. */
  readonly #timers = new Set<Timer>();

  constructor(now = Date.UTC(2026, 11, 1, 9, 0, 0)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** How long until the next timer; undefined when none waits. */
  get nextInMs(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.at - this.#now;
  }

  /** Turns the time on, timer by timer; what a timer sets off goes on until it waits, before the next one. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) {
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.callback();
      await settled();
    }
    this.#now = end;
  }

  /** Turns the time on at once, as for a computer that slept: the timers that are due go off after it. */
  async jump(ms: number): Promise<void> {
    this.#now += ms;
    await this.advance(0);
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (next === undefined || timer.at < next.at) {
        next = timer;
      }
    }
    return next;
  }
}

/** Lets all promises go on that wait for nothing but each other. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
