import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inEnglish } from '../../../src/values/message.ts';
import { checkSteps, estimateCost } from '../../../src/workflow/estimate.ts';
import { beginState, changedSteps, liveSteps, vanishedSteps } from '../../../src/workflow/planState.ts';
import { planOf } from './plans.ts';
import { start, toTheEnd } from './play.ts';
import { PlayedWorld, Process, resultOf } from './playedWorld.ts';

const MINUTE = 60_000;
const lepton = (name: string, more: object = {}) => ({
  name,
  platform: 'lepton',
  command: 'true',
  image: 'image:1',
  ...more,
});
const brev = (name: string, more: object = {}) => ({ name, platform: 'brev', command: 'true', ...more });
const phases = (world: PlayedWorld) =>
  Object.fromEntries(Object.entries(world.state?.steps ?? {}).map(([name, { phase }]) => [name, phase]));

describe('a run of a plan', () => {
  it('runs steps beside each other where it can, and after each other where they need it', async () => {
    const plan = await planOf([lepton('a'), lepton('b'), lepton('c', { needs: ['a', 'b'] })]);
    const world = new PlayedWorld();
    const begun = world.clock.now();
    await toTheEnd(start(plan, world, { kind: 'anew' }), world);
    assert.deepEqual(world.history, ['launch a', 'launch b', 'launch c']);
    assert.equal((world.clock.now() - begun) / MINUTE, 20);
    assert.equal(world.state?.ended, 'complete');
  });

  it('shares one machine among steps that ask for it, and deletes it after the last one', async () => {
    const plan = await planOf([
      brev('a', { outputs: 's3://bucket/a/' }),
      brev('b', { outputs: 's3://bucket/b/', instance: { of: 'a' } }),
      brev('c', { outputs: 's3://bucket/c/', instance: { of: 'b' } }),
    ]);
    const world = new PlayedWorld();
    await toTheEnd(start(plan, world, { kind: 'anew' }), world);
    assert.deepEqual([...world.machines.values()], [{ creations: 1, deleted: true }]);
    assert.deepEqual([...world.inS3], ['s3://bucket/a/', 's3://bucket/b/', 's3://bucket/c/']);
    assert.deepEqual(world.wrong, []);
  });

  it('keeps a machine whose outputs could not be saved, and saves them when it is resumed', async () => {
    const plan = await planOf([brev('a', { outputs: 's3://bucket/a/' }), lepton('b', { needs: 'a' })]);
    const world = new PlayedWorld();
    world.saveFails = 5;
    await toTheEnd(start(plan, world, { kind: 'anew' }), world);
    assert.deepEqual(phases(world), { a: 'failed', b: 'blocked' });
    assert.equal(world.state?.machines.a?.phase, 'kept');
    assert.deepEqual(
      [...world.machines.values()].map(({ deleted }) => deleted),
      [false],
    );
    await toTheEnd(start(plan, world, { kind: 'resume' }), world);
    assert.deepEqual(phases(world), { a: 'done', b: 'done' });
    assert.equal(world.launchesOf('a'), 1);
    assert.deepEqual(
      [...world.machines.values()].map(({ deleted }) => deleted),
      [true],
    );
  });

  it('tries a failed step again as often as it may', async () => {
    const plan = await planOf([lepton('a', { retries: 2 })]);
    const world = new PlayedWorld(
      new Map([
        [
          'a',
          [
            { ms: MINUTE, end: 'failed' },
            { ms: MINUTE, end: 'refused' },
            { ms: MINUTE, end: 'complete' },
          ],
        ],
      ]),
    );
    await toTheEnd(start(plan, world, { kind: 'anew' }), world);
    assert.deepEqual(resultOf(plan, world).steps, [
      { name: 'a', phase: 'done', tries: ['failed', 'failed', 'complete'], launches: 3 },
    ]);
  });

  it('launches again what was never launched, whatever its retries, but not for ever', async () => {
    const plan = await planOf([lepton('a'), lepton('b', { needs: 'a' })]);
    const never = { ms: MINUTE, end: 'neverLaunched' } as const;
    const world = new PlayedWorld(
      new Map([
        ['a', [never, never, { ms: MINUTE, end: 'complete' }]],
        ['b', [never]],
      ]),
    );
    await toTheEnd(start(plan, world, { kind: 'anew' }), world);
    const [a, b] = resultOf(plan, world).steps;
    assert.deepEqual(a, {
      name: 'a',
      phase: 'done',
      tries: ['neverLaunched', 'neverLaunched', 'complete'],
      launches: 3,
    });
    assert.equal(b?.phase, 'failed');
    assert.equal(b?.launches, 10);
    const { reason } = world.state?.steps.b ?? {};
    assert.equal(reason === undefined ? '' : inEnglish(reason), 'Its job could not be launched.');
  });

  it('stops a step at its timeout, and does not try it again', async () => {
    const plan = await planOf([lepton('a', { retries: 2, timeout: '5m' }), lepton('b', { needs: 'a' })]);
    const world = new PlayedWorld();
    const begun = world.clock.now();
    await toTheEnd(start(plan, world, { kind: 'anew' }), world);
    assert.equal((world.clock.now() - begun) / MINUTE, 5);
    assert.deepEqual(phases(world), { a: 'failed', b: 'blocked' });
    assert.deepEqual(
      [...world.jobs.values()].map(({ stopped }) => stopped),
      [true],
    );
    const { reason } = world.state?.steps.a ?? {};
    assert.equal(reason === undefined ? '' : inEnglish(reason), 'It took longer than its timeout.');
  });

  it('resumes without repeating what is done', async () => {
    const plan = await planOf([lepton('a'), lepton('b', { needs: 'a' }), lepton('c', { needs: 'b' })]);
    const world = new PlayedWorld(
      new Map([
        [
          'b',
          [
            { ms: MINUTE, end: 'failed' },
            { ms: MINUTE, end: 'complete' },
          ],
        ],
      ]),
    );
    await toTheEnd(start(plan, world, { kind: 'anew' }), world);
    assert.deepEqual(phases(world), { a: 'done', b: 'failed', c: 'blocked' });
    await toTheEnd(start(plan, world, { kind: 'resume' }), world);
    assert.deepEqual(phases(world), { a: 'done', b: 'done', c: 'done' });
    assert.deepEqual(world.history, ['launch a', 'launch b', 'launch b', 'launch c']);
  });

  it('runs from a step on: it, what follows, and what of its needs is missing', async () => {
    const plan = await planOf([
      lepton('a'),
      lepton('b', { needs: 'a' }),
      lepton('c', { needs: 'b' }),
      lepton('x'),
    ]);
    const world = new PlayedWorld();
    await toTheEnd(start(plan, world, { kind: 'from', step: 'b' }), world);
    assert.deepEqual(world.history, ['launch a', 'launch b', 'launch c']);
    assert.deepEqual(phases(world), { a: 'done', b: 'done', c: 'done', x: 'waiting' });
    await toTheEnd(start(plan, world, { kind: 'from', step: 'c' }), world);
    assert.deepEqual(world.history.slice(3), ['launch c']);
    assert.equal(world.state?.ended, 'complete');
  });

  it('skips a step whose outputs are there, where that is wished, and buys nothing for it', async () => {
    const plan = await planOf([
      brev('a', { outputs: 's3://bucket/a/', skipIfOutputExists: true }),
      brev('b', { outputs: 's3://bucket/b/', skipIfOutputExists: true, needs: 'a' }),
    ]);
    const world = new PlayedWorld();
    world.inS3.add('s3://bucket/a/');
    await toTheEnd(start(plan, world, { kind: 'anew' }), world);
    assert.deepEqual(phases(world), { a: 'skipped', b: 'done' });
    assert.equal(world.machines.size, 1);
  });

  it('cancels one step or all, saves what they left, and leaves no machine', async () => {
    const plan = await planOf([
      brev('a', { outputs: 's3://bucket/a/' }),
      lepton('b'),
      lepton('c', { needs: ['a', 'b'] }),
      lepton('d'),
    ]);
    const world = new PlayedWorld();
    const playing = start(plan, world, { kind: 'anew' });
    const over = toTheEnd(playing, world);
    await world.clock.advance(2 * MINUTE);
    await playing.run.cancel('b');
    await world.clock.advance(0);
    assert.deepEqual(phases(world), { a: 'running', b: 'cancelled', c: 'waiting', d: 'running' });
    await playing.run.cancel();
    await over;
    assert.deepEqual(phases(world), { a: 'cancelled', b: 'cancelled', c: 'cancelled', d: 'cancelled' });
    assert.equal(world.state?.ended, 'cancelled');
    assert.deepEqual([...world.machines.values()], [{ creations: 1, deleted: true }]);
    assert.deepEqual(world.wrong, []);
  });

  it('does not make a machine any more that a cancelled step waited for', async () => {
    const plan = await planOf([brev('a', { outputs: 's3://bucket/a/' })]);
    const world = new PlayedWorld();
    const begun = world.clock.now();
    const playing = start(plan, world, { kind: 'anew' });
    const over = toTheEnd(playing, world);
    // in the same breath as the machine is asked for
    await playing.run.cancel();
    await over;
    assert.equal(world.clock.now() - begun < MINUTE, true);
    assert.equal(world.launchesOf('a'), 0);
    assert.deepEqual(
      [...world.machines.values()].filter(({ deleted }) => !deleted),
      [],
    );
  });

  it('looks at a job again whose end nobody knew, and does not run it twice', async () => {
    const plan = await planOf([brev('a', { outputs: 's3://bucket/a/', retries: 3 })]);
    const world = new PlayedWorld(new Map([['a', [{ ms: MINUTE, end: 'unknown' }]]]));
    await toTheEnd(start(plan, world, { kind: 'anew' }), world);
    assert.deepEqual(phases(world), { a: 'unknown' });
    assert.equal(world.state?.machines.a?.phase, 'kept');
    await toTheEnd(start(plan, world, { kind: 'resume' }), world);
    assert.equal(world.launchesOf('a'), 1);
    assert.equal(world.machines.size, 1);
  });

  it('writes nothing secret, and knows what changed or vanished since', async () => {
    const plan = await planOf([lepton('a', { env: ['HF_TOKEN'] }), lepton('b')]);
    const world = new PlayedWorld();
    await toTheEnd(start(plan, world, { kind: 'anew' }), world);
    const { state } = world;
    assert.ok(state !== undefined);
    const later = await planOf([lepton('a', { env: ['HF_TOKEN'], gpus: 2 })]);
    assert.deepEqual(
      changedSteps(later, state).map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(vanishedSteps(later, state), ['b']);
    assert.deepEqual(liveSteps(state), []);
    // where it stands in the file is no change
    const moved = await planOf({ name: 'test', steps: [lepton('b'), lepton('a', { env: ['HF_TOKEN'] })] });
    assert.deepEqual(changedSteps(moved, state), []);
    assert.equal(beginState(later, state, { kind: 'resume' }, 0).steps.b, undefined);
  });
});

describe('what a plan may cost', () => {
  it('is a sum where all of it is known', async () => {
    const plan = await planOf([
      lepton('a', { timeout: '2h', nodes: 2 }),
      lepton('b', { timeout: '30m', retries: 1 }),
    ]);
    const estimate = await estimateCost(new Process(new PlayedWorld()), plan, () => true);
    assert.deepEqual(
      estimate.steps.map(({ atMost, pricePerHour }) => [pricePerHour, atMost]),
      [
        [4, 8],
        [2, 2],
      ],
    );
    assert.equal(estimate.atMost, 10);
  });

  it('is unknown where a part of it is', async () => {
    const plan = await planOf([lepton('a', { timeout: '2h' }), lepton('b')]);
    const world = new Process(new PlayedWorld());
    assert.equal((await estimateCost(world, plan, () => true)).atMost, undefined);
    assert.equal((await estimateCost(world, plan, ({ name }) => name === 'a')).atMost, 4);
    const priceless = { price: async () => ({ pricePerHour: undefined, what: 'gpu' }) };
    assert.equal((await estimateCost(priceless, plan, ({ name }) => name === 'a')).atMost, undefined);
  });

  it('is looked at together with every check, before anything', async () => {
    const plan = await planOf([lepton('a'), lepton('b')]);
    const asked: string[] = [];
    await checkSteps(
      {
        check: async ({ name }) => {
          asked.push(name);
          return [];
        },
      },
      plan,
      ({ name }) => name !== 'b',
      new AbortController().signal,
    );
    assert.deepEqual(asked, ['a']);
  });
});
