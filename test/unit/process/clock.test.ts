import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../../../src/process/clock.ts';

const DAY_MS = 86_400_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

describe('the clock of the system', () => {
  it('waits as long as it is told, also longer than a timer can', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let calls = 0;
    systemClock.after(60 * DAY_MS, () => calls++);
    t.mock.timers.tick(LONGEST_TIMER_MS);
    t.mock.timers.tick(LONGEST_TIMER_MS);
    t.mock.timers.tick(60 * DAY_MS - 2 * LONGEST_TIMER_MS - 1);
    assert.equal(calls, 0);
    t.mock.timers.tick(1);
    assert.equal(calls, 1);
  });

  it('gives no timer more than it can wait', (t) => {
    const waits: unknown[] = [];
    t.mock.method(globalThis, 'setTimeout', (_: () => void, ms: number) => {
      waits.push(ms);
    });
    systemClock.after(30 * DAY_MS, () => undefined);
    systemClock.after(30, () => undefined);
    assert.deepEqual(waits, [LONGEST_TIMER_MS, 30]);
  });

  it('forgets a long wait that is no longer wanted', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const cancel = systemClock.after(60 * DAY_MS, () => assert.fail('called'));
    t.mock.timers.tick(LONGEST_TIMER_MS);
    cancel();
    t.mock.timers.tick(40 * DAY_MS);
  });
});
