import type { Clock } from '../../process/clock.ts';

/** How a piece of work ended for the one who waited. */
export type Waited<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'cancelled' };

/** Waits for work, but no longer than the limit and the signal allow; work that knows no signal goes on unwatched. */
export async function waitFor<T>(
  work: Promise<T>,
  limit: { readonly clock: Clock; readonly ms: number } | undefined,
  signal: AbortSignal,
): Promise<Waited<T>> {
  let release = (): void => undefined;
  const givenUp = new Promise<Waited<T>>((resolve) => {
    const cancel = (): void => resolve({ kind: 'cancelled' });
    const stopClock = limit?.clock.after(limit.ms, () => resolve({ kind: 'timedOut' }));
    signal.addEventListener('abort', cancel, { once: true });
    release = () => {
      stopClock?.();
      signal.removeEventListener('abort', cancel);
    };
    if (signal.aborted) {
      cancel();
    }
  });
  try {
    return await Promise.race([givenUp, work.then((value): Waited<T> => ({ kind: 'done', value }))]);
  } finally {
    release();
  }
}
