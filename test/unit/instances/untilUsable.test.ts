import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InstancesChange } from '../../../src/instances/store.ts';
import { untilUsable } from '../../../src/instances/untilUsable.ts';
import { Emitter } from '../../../src/values/emitter.ts';
import { FakeClock, settled } from '../../support/fake-clock.ts';

function account(needsUser: boolean) {
  const changes = new Emitter<InstancesChange>();
  const store = {
    needsUser,
    onChange: changes.listen,
  };
  const clock = new FakeClock();
  const abort = new AbortController();
  let settledAlready = false;
  void untilUsable(store, clock, abort.signal).then(() => {
    settledAlready = true;
  });
  const change = async (): Promise<boolean> => {
    changes.emit({ added: [], removed: [], changed: [], listing: true });
    await settled();
    return settledAlready;
  };
  return { store, clock, abort, change };
}

describe('a CLI that is of no use', () => {
  it('is waited for until somebody has signed in', async () => {
    const { change, store } = account(true);
    assert.equal(await change(), false);
    store.needsUser = false;
    assert.equal(await change(), true);
  });

  it('is asked all the same now and then, and no longer than it is wanted', async () => {
    const patient = account(true);
    await patient.clock.advance(300_000);
    assert.equal(await patient.change(), true);
    const cancelled = account(true);
    cancelled.abort.abort();
    assert.equal(await cancelled.change(), true);
  });

  it('is not waited for where it is of use', async () => {
    assert.equal(await account(false).change(), true);
  });
});
