import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { sleep, systemClock } from '../../../src/process/clock.ts';
import { FakeClock, settled } from '../../support/fake-clock.ts';

describe('sleep', () => {
  it('ends when its time has come and not before', async () => {
    const clock = new FakeClock();
    let awake = false;
    const sleeping = sleep(clock, 1_000).then(() => {
      awake = true;
    });
    await clock.advance(999);
    assert.equal(awake, false);
    await clock.advance(1);
    await sleeping;
    assert.equal(awake, true);
  });

  it('ends early and quietly when it is called off, and leaves no timer', async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    const sleeping = sleep(clock, 1_000, abort.signal);
    await settled();
    abort.abort();
    await sleeping;
    assert.equal(clock.waiting, 0);
    await sleep(clock, 1_000, abort.signal);
    assert.equal(clock.waiting, 0);
  });

  it('leaves no listener on a signal that lives long', async () => {
    const clock = new FakeClock();
    const { signal } = new AbortController();
    const sleeping = sleep(clock, 10, signal);
    await clock.advance(10);
    await sleeping;
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});

describe('the system clock', () => {
  it('calls once, unless called off', async () => {
    const called: string[] = [];
    const calledOff = systemClock.after(1, () => called.push('never'));
    calledOff();
    await new Promise<void>((resolve) => systemClock.after(1, resolve));
    assert.deepEqual(called, []);
    assert.ok(Math.abs(systemClock.now() - Date.now()) < 60_000);
  });
});
