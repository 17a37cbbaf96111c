import type { Failure } from './failure.ts';

/** What became of an operation. Cancel is not an error. */
export type Outcome<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled' };

export function ok<T>(value: T): Outcome<T> {
  return { kind: 'ok', value };
}

export function failed<T = never>(failure: Failure): Outcome<T> {
  return { kind: 'failed', failure };
}

export const cancelled: Outcome<never> = { kind: 'cancelled' };

/** The outcome of `next` on the value, or what stopped it before. */
export function then<T, U>(outcome: Outcome<T>, next: (value: T) => Outcome<U>): Outcome<U> {
  return outcome.kind === 'ok' ? next(outcome.value) : outcome;
}
