import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { message } from '../../../src/values/message.ts';
import { cancelled, failed, type Outcome, ok, then } from '../../../src/values/outcome.ts';

describe('then', () => {
  const length = (text: string): Outcome<number> => ok(text.length);

  it('goes on with a value', () => {
    assert.deepEqual(then(ok('four'), length), ok(4));
  });

  it('stops at what stopped it before', () => {
    const failure = failed<string>({ kind: 'offline', message: message('x'), retrySafe: true });
    assert.equal(then(failure, length), failure);
    assert.equal(then(cancelled, length), cancelled);
  });
});
