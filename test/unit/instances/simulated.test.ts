import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { CreateRequest } from '../../../src/brev/create.ts';
import { createInstance } from '../../../src/instances/creation.ts';
import { waitUntilReady } from '../../../src/instances/readiness.ts';
import { InstanceStore } from '../../../src/instances/store.ts';
import { systemClock } from '../../../src/process/clock.ts';
import type { SimOptions } from '../../brev-sim/sim.ts';
import { simulatedCli } from '../preflight/support/cli.ts';

const REQUEST: CreateRequest = {
  name: 'new',
  types: [{ type: 'g6e.xlarge', gpu: { name: 'L40S', count: 1 } }],
};
const settings = () => ({ intervalMs: 50, deadlineMs: 60_000, stuckMs: 60_000 });

async function account(t: TestContext, options: SimOptions = {}) {
  const its = await simulatedCli(t, { speed: 500, ...options });
  const store = new InstanceStore({
    brev: its.brev,
    clock: systemClock,
    intervals: () => ({ steadyMs: 60_000, transitionMs: 60_000 }),
  });
  t.after(() => store.dispose());
  const create = (signal = new AbortController().signal) =>
    createInstance(its.brev, store, REQUEST, undefined, signal);
  return { ...its, store, create };
}

describe('with the simulated CLI', { concurrency: 2 }, () => {
  it('an instance is created and becomes ready', async (t) => {
    const { brev, create, store, calls } = await account(t);
    const creation = await create();
    assert.ok(creation.kind === 'created', JSON.stringify(creation));
    const readiness = await waitUntilReady(
      { brev, store, clock: systemClock, settings },
      creation.instance.id,
      () => undefined,
      new AbortController().signal,
    );
    assert.equal(readiness.kind, 'ready', JSON.stringify(readiness));
    assert.equal((await calls()).filter((line) => line.startsWith('create')).length, 1);
  });

  it('an instance whose answer was lost is found, and is not asked for again', async (t) => {
    const { create, sim, calls } = await account(t);
    await sim.scenario([{ kind: 'create-lost', command: 'create', arg: 'new' }]);
    const creation = await create();
    assert.ok(creation.kind === 'createdAnyway', JSON.stringify(creation));
    assert.equal(creation.instance.name, 'new');
    assert.equal((await calls()).filter((line) => line.startsWith('create')).length, 1);
  });

  it('an instance whose create was called off while it was pending is found', async (t) => {
    const { create, sim } = await account(t, { speed: 1 });
    await sim.scenario([{ kind: 'create-pending', command: 'create', arg: 'new' }]);
    const abort = new AbortController();
    const creating = create(abort.signal);
    const pending = async (): Promise<void> => {
      if ((await sim.instances()).length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return pending();
      }
    };
    await pending();
    abort.abort();
    const creation = await creating;
    assert.ok(creation.kind === 'createdAnyway', JSON.stringify(creation));
    assert.equal(creation.because, 'cancelled');
  });

  it('a sold-out type creates nothing and says so', async (t) => {
    const { create, sim } = await account(t);
    await sim.cloud((cloud) => {
      cloud.soldOut.push('g6e.xlarge');
    });
    const creation = await create();
    assert.ok(creation.kind === 'notCreated' && creation.because !== 'cancelled', JSON.stringify(creation));
    assert.equal(creation.because.kind, 'noCapacity');
    assert.deepEqual(await sim.instances(), []);
  });

  it('looking whether a stopped machine is ready does not start it', async (t) => {
    const { brev, store, sim, calls } = await account(t);
    const { id } = await sim.addInstance({ name: 'gpu1', status: 'STOPPED' });
    const readiness = await waitUntilReady(
      { brev, store, clock: systemClock, settings },
      id,
      () => undefined,
      new AbortController().signal,
    );
    assert.ok(readiness.kind === 'notReady');
    assert.equal(readiness.because.kind, 'instanceNotRunning');
    assert.deepEqual(
      (await sim.instances()).map(({ status }) => status),
      ['STOPPED'],
    );
    assert.ok(!(await calls()).some((line) => line.startsWith('exec')));
  });

  it('a signed-out CLI is known as that, and names that are none survive a list', async (t) => {
    const out = await account(t, { signedIn: false });
    const listed = await out.store.refresh();
    assert.ok(listed.kind === 'failed');
    assert.equal(listed.failure.kind, 'signedOut');

    const { store, sim } = await account(t);
    for (const name of ['a; rm -rf ~ #', '$(touch /tmp/pwned)', '学習-1', '-rf', '\u001b[31mred']) {
      await sim.addInstance({ name });
    }
    await store.refresh();
    assert.deepEqual(
      store.instances.map(({ name, usableName }) => [name, usableName]),
      ['a; rm -rf ~ #', '$(touch /tmp/pwned)', '学習-1', '-rf', '\u001b[31mred'].map((name) => [name, false]),
    );
  });
});
