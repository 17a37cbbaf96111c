import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type ReadinessState, ReadinessWatch } from '../../../src/instances/readinessWatch.ts';
import { settled } from '../../support/fake-clock.ts';
import { printed } from '../brev/recordedCli.ts';
import { MINUTE, REFUSED, StartingCloud } from './startingCloud.ts';

function watched(t: TestContext) {
  const cloud = new StartingCloud(t);
  const watch = new ReadinessWatch(cloud.options);
  t.after(() => watch.dispose());
  const states: ReadinessState[] = [];
  watch.onChange((state) => states.push(state));
  const ends = () => states.filter((state) => state.kind === 'ended');
  const instance = () => {
    const found = cloud.store.find('id-a');
    assert.ok(found !== undefined);
    return found;
  };
  return { cloud, ends, instance, states, watch };
}

describe('the readiness watch', () => {
  it('watches by itself what comes up, once, and nothing else', async (t) => {
    for (const [status, watches] of [
      ['DEPLOYING', true],
      ['STARTING', true],
      ['RUNNING', false],
      ['STOPPED', false],
      ['STOPPING', false],
      ['FAILURE', false],
    ] as const) {
      const { cloud, states, watch } = watched(t);
      cloud.list = () => ({ status });
      await cloud.store.refresh();
      await cloud.clock.advance(MINUTE);
      assert.equal(watch.state('id-a')?.kind, watches ? 'waiting' : undefined, status);
      assert.equal(states.length > 0, watches, status);
      assert.equal(cloud.cli.count('exec'), 0);
    }
  });

  it('tells the way and the end, and knows then that it is ready', async (t) => {
    const { cloud, ends, instance, states, watch } = watched(t);
    cloud.list = (ms) => ({ status: ms < MINUTE ? 'STARTING' : 'RUNNING' });
    cloud.exec = (ms) => (ms < 2 * MINUTE ? REFUSED : printed('@ok\na\n'));
    await cloud.store.refresh();
    await cloud.clock.advance(90_000);
    assert.equal(watch.isReady(instance()), false);
    await cloud.clock.advance(MINUTE);
    assert.equal(watch.isReady(instance()), true);
    assert.equal(ends().length, 1);
    assert.equal(states[0]?.kind, 'waiting');
    assert.ok(states.every(({ id }) => id === 'id-a'));
  });

  it('says of an end whether the user had asked for it, also when that came later', async (t) => {
    for (const asked of [true, false]) {
      const { cloud, ends, watch } = watched(t);
      cloud.list = (ms) => ({ status: ms < MINUTE ? 'STARTING' : 'RUNNING' });
      await cloud.store.refresh();
      await cloud.clock.advance(30_000);
      watch.watch('id-a', asked);
      await cloud.clock.advance(MINUTE);
      assert.deepEqual(
        ends().map(({ requested }) => requested),
        [asked],
      );
    }
  });

  it('asks for a notification once when an instance fails again and again', async (t) => {
    const { cloud, ends, watch } = watched(t);
    cloud.list = (ms) => ({ status: Math.floor(ms / 30_000) % 2 === 0 ? 'STARTING' : 'FAILURE' });
    watch.watch('id-a', true);
    cloud.store.watch();
    await cloud.clock.advance(10 * MINUTE);
    assert.ok(ends().length > 1);
    assert.equal(ends().filter(({ requested }) => requested).length, 1);
  });

  it('forgets a verdict when the machine goes off, and when it is gone', async (t) => {
    const { cloud, instance, watch } = watched(t);
    watch.watch('id-a', true);
    await cloud.clock.advance(1_000);
    assert.equal(watch.isReady(instance()), true);
    cloud.list = () => ({ status: 'UNHEALTHY' });
    await cloud.store.refresh();
    assert.equal(watch.isReady(instance()), true);
    cloud.list = () => ({ status: 'STOPPING' });
    await cloud.store.refresh();
    assert.equal(watch.isReady(instance()), false);
    assert.equal(watch.state('id-a'), undefined);

    const gone = watched(t);
    gone.watch.watch('id-a', true);
    await gone.cloud.clock.advance(1_000);
    gone.cloud.list = () => undefined;
    await gone.cloud.store.refresh();
    assert.equal(gone.watch.state('id-a'), undefined);
  });

  it('proves anew what was started anew', async (t) => {
    const { cloud, instance, watch } = watched(t);
    watch.watch('id-a', true);
    await cloud.clock.advance(1_000);
    cloud.exec = () => REFUSED;
    for (const status of ['STOPPED', 'STARTING', 'RUNNING']) {
      cloud.list = () => ({ status });
      await cloud.store.refresh();
    }
    await cloud.clock.advance(10_000);
    assert.equal(watch.isReady(instance()), false);
    assert.equal(watch.state('id-a')?.kind, 'waiting');
  });

  it('can be told to stop, and to begin again', async (t) => {
    const { cloud, ends, watch } = watched(t);
    cloud.exec = () => REFUSED;
    watch.watch('id-a', true);
    await cloud.clock.advance(10_000);
    watch.stop('id-a');
    await settled();
    assert.deepEqual(
      ends().map(({ readiness }) => readiness.kind),
      ['cancelled'],
    );
    watch.stop('id-unknown');
    cloud.exec = () => printed('@ok\n');
    watch.watch('id-a', true);
    await cloud.clock.advance(10_000);
    assert.deepEqual(
      ends().map(({ readiness }) => readiness.kind),
      ['cancelled', 'ready'],
    );
  });

  it('tells nobody anything after its end', async (t) => {
    const { cloud, states, watch } = watched(t);
    cloud.exec = () => REFUSED;
    watch.watch('id-a', true);
    await cloud.clock.advance(10_000);
    watch.dispose();
    const told = states.length;
    await cloud.clock.advance(MINUTE);
    cloud.list = () => ({ status: 'STARTING' });
    await cloud.store.refresh();
    await cloud.clock.advance(MINUTE);
    assert.equal(states.length, told);
  });
});
