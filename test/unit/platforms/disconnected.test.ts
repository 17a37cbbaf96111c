import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { disconnectedBy } from '../../../src/platforms/disconnected.ts';
import type { FailureKind } from '../../../src/values/failure.ts';
import { message } from '../../../src/values/message.ts';

const by = (kind: FailureKind) => disconnectedBy({ kind, message: message('why {0}', 1), retrySafe: true });

describe('a connection that a failure ended', () => {
  it('says why, and whether the machine is gone or a right is missing', () => {
    const reason = 'why 1';
    assert.deepEqual(by('offline'), { kind: 'disconnected', reason });
    assert.deepEqual(by('instanceNotFound'), { kind: 'disconnected', reason, gone: true });
    for (const kind of ['forbidden', 'noSshAccess', 'apiKeyLimited'] as const) {
      assert.deepEqual(by(kind), { kind: 'disconnected', reason, refused: true });
    }
    // a sign-in comes at any moment, and the job is to go on with it
    assert.deepEqual(by('signedOut'), { kind: 'disconnected', reason });
    assert.deepEqual(by('tokenStale'), { kind: 'disconnected', reason });
  });
});
