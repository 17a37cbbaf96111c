/** Time, passed in so that tests can turn it. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Calls once after `ms`; the result cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** A timer that is to wait longer than this, 24.8 days, calls at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const rest = left - LONGEST_TIMER_MS;
      timer = rest > 0 ? setTimeout(wait, LONGEST_TIMER_MS, rest) : setTimeout(callback, left);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** Waits; ends early, without an error, when the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
