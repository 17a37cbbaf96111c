import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { costOf, runningCost } from '../../../src/instances/runningCost.ts';
import type { Memory } from '../../../src/instances/seenOn.ts';
import { SeenOn } from '../../../src/instances/seenOn.ts';
import { InstanceStore, type Listing } from '../../../src/instances/store.ts';
import type { RunResult } from '../../../src/process/run.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { failing, listed, printed, RecordedCli, row } from '../brev/recordedCli.ts';

const HOUR = 3_600_000;
const OFFLINE = failing('Get "https://x": dial tcp: connect: connection refused\n');
const PRICES: Readonly<Record<string, number>> = { 'g6e.xlarge': 2.23, small: 1.03 };

/** What survives a window. */
class KeptMemory implements Memory {
  readonly #values = new Map<string, string>();
  get(key: string): unknown {
    const kept = this.#values.get(key);
    return kept === undefined ? undefined : JSON.parse(kept);
  }
  async update(key: string, value: unknown): Promise<void> {
    this.#values.set(key, JSON.stringify(value));
  }
}

/** A window on an account whose `ls` is answered by `list`. */
function openWindow(clock: FakeClock, memory: Memory, list: () => RunResult) {
  const cli = new RecordedCli((args) => {
    switch (args.join(' ')) {
      case 'ls --json':
        return list();
      case 'ls orgs --json':
        return printed('[{"id": "o1", "name": "research", "is_active": true}]');
      default:
        return printed('[]');
    }
  });
  const store = new InstanceStore({
    brev: cli.brev,
    clock,
    intervals: () => ({ steadyMs: 45_000, transitionMs: 4_000 }),
  });
  const seenOn = new SeenOn(store, memory);
  const cost = () =>
    runningCost(store.listing, {
      priceOf: (type) => PRICES[type],
      since: (id) => seenOn.since(id),
      now: clock.now(),
    });
  const close = (): void => {
    seenOn.dispose();
    store.dispose();
  };
  return { close, cost, seenOn, store };
}

describe('what runs and what it costs', () => {
  it('tells what comes to that from what is starting, also while nothing is on', async (t) => {
    const { close, cost, store } = openWindow(new FakeClock(), new KeptMemory(), () =>
      listed(
        row('a', { status: 'DEPLOYING' }),
        row('b', { instance_type: 'small', status: 'STARTING' }),
        row('c', { instance_type: 'never-offered', status: 'DEPLOYING' }),
        row('d', { status: 'STOPPING' }),
        row('e', { status: 'STOPPED' }),
      ),
    );
    t.after(close);
    await store.refresh();
    const now = cost();
    assert.deepEqual(now?.on, { perHour: 0, priced: 0, unpriced: 0 });
    assert.equal(now?.starting.perHour.toFixed(2), '3.26');
    assert.deepEqual([now?.starting.priced, now?.starting.unpriced], [2, 1]);
    assert.deepEqual(
      now?.lines.map(({ billing }) => billing),
      ['starting', 'starting', 'starting', 'unclear', 'storage'],
    );
  });

  it('sums the known prices of what is on, counts the unknown ones, and stopped is storage, not $0.00', async (t) => {
    const clock = new FakeClock();
    const { close, cost, store } = openWindow(clock, new KeptMemory(), () =>
      listed(
        row('a'),
        row('b', { instance_type: 'small', status: 'UNHEALTHY' }),
        row('c', { instance_type: 'never-offered' }),
        row('d', { status: 'STOPPED' }),
        row('e', { status: 'FAILURE' }),
      ),
    );
    t.after(close);
    await store.refresh();
    const now = cost();
    assert.equal(now?.on.perHour.toFixed(2), '3.26');
    assert.deepEqual([now?.on.priced, now?.on.unpriced, now?.stale], [2, 1, false]);
    assert.deepEqual(
      now?.lines.map(({ billing, soFar }) => [billing, soFar]),
      [
        ['on', 0],
        ['on', 0],
        ['on', undefined],
        ['storage', undefined],
        ['unclear', undefined],
      ],
    );
  });

  it('is nothing while nothing is known, and while nothing is on or starts', async (t) => {
    const clock = new FakeClock();
    let answer = OFFLINE;
    const { close, cost, store } = openWindow(clock, new KeptMemory(), () => answer);
    t.after(close);
    assert.equal(cost(), undefined);
    await store.refresh();
    assert.equal(cost(), undefined);
    answer = listed(row('a', { status: 'STOPPED' }), row('b', { status: 'STOPPING' }));
    await store.refresh();
    assert.equal(cost(), undefined);
  });

  it('is stale after a list that failed, and after a while without any', async (t) => {
    const clock = new FakeClock();
    let answer = listed(row('a'));
    const { close, cost, store } = openWindow(clock, new KeptMemory(), () => answer);
    t.after(close);
    await store.refresh();
    const at = clock.now();
    answer = OFFLINE;
    await store.refresh();
    assert.deepEqual([cost()?.stale, cost()?.at, cost()?.on.perHour], [true, at, 2.23]);
    answer = listed(row('a'));
    await store.refresh();
    assert.equal(cost()?.stale, false);
    await clock.jump(11 * 60_000);
    assert.equal(cost()?.stale, true);
  });

  it('goes on counting over reload and sleep, and begins anew after a stop', async () => {
    const clock = new FakeClock();
    const memory = new KeptMemory();
    let answer = listed(row('a'));
    const first = openWindow(clock, memory, () => answer);
    await first.store.refresh();
    const since = clock.now();
    first.close();
    await clock.jump(10 * HOUR);
    const second = openWindow(clock, memory, () => answer);
    await second.store.refresh();
    assert.equal(second.cost()?.lines[0]?.since, since);
    assert.equal(second.cost()?.lines[0]?.soFar?.toFixed(2), '22.30');
    // neither a list that fails nor another account nor a state in between is an end
    answer = OFFLINE;
    await second.store.refresh();
    second.store.forget();
    answer = listed(row('a', { status: 'STRANGE' }));
    await second.store.refresh();
    answer = listed(row('a'));
    await second.store.refresh();
    assert.equal(second.seenOn.since('id-a'), since);
    answer = listed(row('a', { status: 'STOPPED' }));
    await second.store.refresh();
    assert.equal(second.seenOn.since('id-a'), undefined);
    await clock.jump(HOUR);
    answer = listed(row('a'));
    await second.store.refresh();
    assert.equal(second.seenOn.since('id-a'), clock.now());
    answer = listed();
    await second.store.refresh();
    assert.equal(second.seenOn.since('id-a'), undefined);
    second.close();
  });

  it('reads no nonsense from what was kept, and no negative amounts from a clock that went back', () => {
    const memory = new KeptMemory();
    void memory.update('instances.seenOn', { a: 'yesterday' });
    const listing: Listing = { kind: 'unknown' };
    const seenOn = new SeenOn({ instances: [], listing, onChange: () => () => undefined }, memory);
    assert.equal(seenOn.since('a'), undefined);
    assert.equal(costOf(2, -HOUR), 0);
    assert.equal(costOf(2, HOUR / 2), 1);
  });
});
