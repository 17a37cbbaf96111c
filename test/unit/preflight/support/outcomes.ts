import assert from 'node:assert/strict';
import type { Failure } from '../../../../src/values/failure.ts';
import { inEnglish } from '../../../../src/values/message.ts';
import type { Outcome } from '../../../../src/values/outcome.ts';

/** The value of an outcome that must be good. */
export function okValue<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'ok') {
    return outcome.value;
  }
  assert.fail(
    outcome.kind === 'failed' ? `failed: ${inEnglish(outcome.failure.message)}` : 'unexpectedly cancelled',
  );
}

/** The failure of an outcome that must be one. */
export function failureOf(outcome: Outcome<unknown>): Failure {
  assert.equal(outcome.kind, 'failed');
  return outcome.kind === 'failed' ? outcome.failure : assert.fail();
}

/** What the user reads of a failure. */
export function wordsOf(outcome: Outcome<unknown>): string {
  return inEnglish(failureOf(outcome).message);
}
