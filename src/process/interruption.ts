import type { RunOptions } from './run.ts';

/** Why a program is not waited for any more. */
export type Interruption =
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'threw'; readonly error: unknown };

/** What ends a program before its time. Disposed of, it leaves neither a timer nor a listener behind. */
export function interruptions(options: Pick<RunOptions, 'timeoutMs' | 'signal'>): {
  readonly interrupted: Promise<Interruption>;
  readonly interrupt: (why: Interruption) => void;
  readonly dispose: () => void;
} {
  let resolveIt: (why: Interruption) => void = () => undefined;
  const interrupted = new Promise<Interruption>((resolve) => {
    resolveIt = resolve;
  });
  const timer = setTimeout(() => resolveIt({ kind: 'timedOut' }), options.timeoutMs);
  const abort = (): void => resolveIt({ kind: 'cancelled' });
  options.signal?.addEventListener('abort', abort, { once: true });
  return {
    interrupted,
    interrupt: (why) => resolveIt(why),
    dispose: () => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', abort);
    },
  };
}
