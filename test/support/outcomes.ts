import assert from 'node:assert/strict';
import type { Failure } from '../../src/values/failure.ts';
import { inEnglish } from '../../src/values/message.ts';
import type { Outcome } from '../../src/values/outcome.ts';

/** The value of an outcome that must be ok. */
export function value<T>(outcome: Outcome<T>): T {
  assert.equal(outcome.kind, 'ok', describe(outcome));
  if (outcome.kind !== 'ok') throw new Error('unreachable');
  return outcome.value;
}

/** The failure of an outcome that must have failed, with its sentence in English. */
export function failureOf(outcome: Outcome<unknown>): Failure & { readonly sentence: string } {
  assert.equal(outcome.kind, 'failed', describe(outcome));
  if (outcome.kind !== 'failed') throw new Error('unreachable');
  return { ...outcome.failure, sentence: inEnglish(outcome.failure.message) };
}

function describe(outcome: Outcome<unknown>): string {
  return outcome.kind === 'failed'
    ? `failed: ${inEnglish(outcome.failure.message)}\n${outcome.failure.detail ?? ''}`
    : outcome.kind;
}
