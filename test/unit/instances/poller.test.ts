import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Poller } from '../../../src/instances/poller.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeClock, settled } from '../../support/fake-clock.ts';

/** A poller whose polls end when they are told to. */
function slowPoller(intervalMs: () => number | undefined = () => undefined) {
  const clock = new FakeClock();
  const running: { end: () => void }[] = [];
  let begun = 0;
  let overlapping = 0;
  const poller = new Poller({
    clock,
    intervalMs,
    poll: async () => {
      begun++;
      overlapping = Math.max(overlapping, running.length + 1);
      const { promise, resolve } = deferred<void>();
      running.push({ end: () => resolve(undefined) });
      await promise;
    },
  });
  return {
    clock,
    poller,
    begun: () => begun,
    overlapping: () => overlapping,
    end: async () => {
      running.shift()?.end();
      await settled();
    },
  };
}

describe('a poller', () => {
  it('answers any number of requests during a poll with one more poll', async () => {
    const { poller, begun, end, overlapping } = slowPoller();
    const ended: number[] = [];
    const requests = Array.from({ length: 10 }, (_, index) => poller.pollNow().then(() => ended.push(index)));
    assert.equal(begun(), 1);
    await end();
    assert.equal(begun(), 2);
    assert.deepEqual(ended, [0]);
    await end();
    await Promise.all(requests);
    assert.equal(begun(), 2);
    assert.equal(overlapping(), 1);
  });

  it('answers a request with a poll that began after it', async () => {
    const { poller, begun, end } = slowPoller();
    void poller.pollNow();
    const late = poller.pollNow();
    await end();
    assert.equal(begun(), 2);
    const later = poller.pollNow();
    await end();
    await late;
    assert.equal(begun(), 3);
    await end();
    await later;
  });

  it('waits its interval from the end of a poll, not from its beginning', async () => {
    const { clock, poller, begun, end } = slowPoller(() => 1_000);
    void poller.pollNow();
    await clock.advance(10_000);
    assert.equal(begun(), 1);
    await end();
    await clock.advance(999);
    assert.equal(begun(), 1);
    await clock.advance(1);
    assert.equal(begun(), 2);
  });

  it('rests while nobody needs it and begins again when told that somebody does', async () => {
    let interval: number | undefined;
    const { clock, poller, begun, end } = slowPoller(() => interval);
    void poller.pollNow();
    await end();
    await clock.advance(3_600_000);
    assert.equal(begun(), 1);
    assert.equal(clock.waiting, 0);
    interval = 500;
    poller.reschedule();
    await clock.advance(500);
    assert.equal(begun(), 2);
  });

  it('has one timer however often it is told, and the newest interval counts', async () => {
    let interval = 60_000;
    const { clock, poller, begun } = slowPoller(() => interval);
    poller.reschedule();
    interval = 100;
    poller.reschedule();
    poller.reschedule();
    assert.equal(clock.waiting, 1);
    await clock.advance(100);
    assert.equal(begun(), 1);
  });

  it('makes up for a long sleep with one poll, not with all that were missed', async () => {
    const { clock, poller, begun, end } = slowPoller(() => 1_000);
    poller.reschedule();
    await clock.jump(8 * 3_600_000);
    assert.equal(begun(), 1);
    await end();
    await clock.advance(999);
    assert.equal(begun(), 1);
  });

  it('users G: coder#846 polls soon after the computer woke up, though its timers stood still meanwhile', async () => {
    const clock = new FakeClock();
    let asleepMs = 0;
    let begun = 0;
    const poller = new Poller({
      clock: { now: () => clock.now() + asleepMs, after: (ms, callback) => clock.after(ms, callback) },
      intervalMs: () => 45_000,
      poll: async () => {
        begun++;
      },
    });
    poller.reschedule();
    await clock.advance(7_000);
    asleepMs = 8 * 3_600_000;
    await clock.advance(5_000);
    assert.equal(begun, 1);
    await clock.advance(42_000);
    assert.equal(begun, 1, 'and no burst of the missed ones');
    // a clock that was set back does not put the next poll off by that
    asleepMs = 0;
    await clock.advance(5_000);
    assert.equal(begun, 2);
    poller.dispose();
  });

  it('is over when disposed of, also in the middle of a poll', async () => {
    const { clock, poller, begun, end } = slowPoller(() => 1_000);
    void poller.pollNow();
    const next = poller.pollNow();
    poller.dispose();
    await end();
    await next;
    await poller.pollNow();
    poller.reschedule();
    await clock.advance(60_000);
    assert.equal(begun(), 1);
    assert.equal(clock.waiting, 0);
  });
});
