import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { checkS3Path } from '../../../src/storage/s3.ts';
import { parseS3Path } from '../../../src/storage/s3Path.ts';
import { inEnglish } from '../../../src/values/message.ts';
import { checkSteps, estimateCost } from '../../../src/workflow/estimate.ts';
import type { Plan } from '../../../src/workflow/plan.ts';
import { type CloudWorld, createCloudWorld, never, writeSpec } from './cloudWorld.ts';
import { planOf } from './plans.ts';

const SPEC = 'results_dir: /results\nsim:\n  steps: 2\n  epoch_seconds: 0.1\ntrain:\n  num_epochs: 1\n';

/** Over all platforms: a new machine for two steps, two nodes on Lepton, the SDK on a machine that is there. */
function fiveSteps(folder: string): Promise<Plan> {
  return planOf({
    name: 'five',
    results: 's3://bkt/flow',
    steps: [
      {
        name: 'prepare',
        platform: 'brev',
        gpus: 0,
        inputs: { '/data/raw/': 's3://bkt/raw/' },
        command: 'cat "$HOME"/data/raw/a.txt >"$RESULTS_DIR"/prepared.txt',
        env: ['PATH'],
        timeout: '1h',
      },
      {
        name: 'merge',
        platform: 'brev',
        gpus: 0,
        instance: { of: 'prepare' },
        inputs: { '/data/prepared': 'prepare' },
        command: '(cat "$HOME"/data/prepared/prepared.txt; echo merged) >"$RESULTS_DIR"/merged.txt',
        env: ['PATH'],
      },
      {
        name: 'train',
        platform: 'lepton',
        image: 'alpine',
        nodes: 2,
        shape: 'gpu.8xh100-80gb',
        inputs: { [path.join(folder, 'lepton/in')]: 'merge' },
        outputs: { [path.join(folder, 'lepton/out/')]: 's3://bkt/flow/train/' },
        command: `[ "$NODE_RANK" != 0 ] || (cat ${folder}/lepton/in/merged.txt; echo "trained on $NNODES nodes") >"$RESULTS_DIR"/model.txt`,
        env: ['PATH'],
      },
      {
        name: 'evaluate',
        platform: 'brev-sdk',
        skill: 'segformer',
        spec: 'evaluate.yaml',
        image: 'me/tao-toolkit:7.1.0-pyt',
        gpus: 1,
        instance: 'gpu1',
        needs: 'train',
      },
      {
        name: 'report',
        platform: 'brev',
        instance: 'gpu1',
        inputs: { '/data/model': 'train', '/data/evaluation': 'evaluate' },
        command:
          'echo ran >>"$HOME"/reports; (cat "$HOME"/data/model/model.txt; ls "$HOME"/data/evaluation | wc -l) >"$RESULTS_DIR"/report.txt',
        env: ['PATH'],
      },
    ],
  });
}

describe('a plan over all platforms', { timeout: 600_000 }, () => {
  let made: CloudWorld | undefined;
  afterEach(async () => {
    await made?.dispose();
    made = undefined;
  });

  const begin = async (): Promise<{ made: CloudWorld; plan: Plan }> => {
    const world = await createCloudWorld();
    made = world;
    writeSpec(world.folder, 'evaluate.yaml', SPEC);
    return { made: world, plan: await fiveSteps(world.folder) };
  };
  const isThere = async ({ s3 }: CloudWorld, uri: string): Promise<string> => {
    const reading = parseS3Path(uri);
    assert.ok(reading.kind === 'path');
    return (await checkS3Path(reading.path, s3, never)).kind;
  };
  const assertDone = async (world: CloudWorld): Promise<void> => {
    const state = world.state();
    assert.deepEqual(
      Object.entries(state.steps).map(([name, { phase, reason }]) => [name, phase, reason]),
      ['prepare', 'merge', 'train', 'evaluate', 'report'].map((name) => [name, 'done', undefined]),
    );
    assert.equal(state.machines.prepare?.phase, 'deleted');
    assert.deepEqual(
      (await world.cloud.sim.instances()).map(({ name }) => name),
      ['gpu1'],
    );
    for (const file of ['prepare/prepared.txt', 'merge/merged.txt', 'train/model.txt', 'report/report.txt']) {
      assert.equal(await isThere(world, `s3://bkt/flow/${file}`), 'object', file);
    }
    assert.equal(await isThere(world, 's3://bkt/flow/evaluate/'), 'folder');
    assert.deepEqual(
      new Set(
        world
          .records()
          // another computer that has seen it may not have seen its end; what was closed before its launch never ran
          .filter(
            ({ terminal_state, transitions }) =>
              terminal_state !== null && !/^not launched/.test(transitions.at(-1)?.message ?? ''),
          )
          .map(({ id, platform, terminal_state }) => `${id.split('-')[0]} ${platform} ${terminal_state}`),
      ),
      new Set([
        'prepare brev COMPLETE',
        'merge brev COMPLETE',
        'train lepton COMPLETE',
        'evaluate brev-sdk COMPLETE',
        'report brev COMPLETE',
      ]),
    );
    assert.equal(world.lepton.jobs().length, 1);
    const { home } = await world.cloud.sim.instance('gpu1');
    assert.equal(readFileSync(path.join(home, 'reports'), 'utf8'), 'ran\n');
    const ofSdk = readdirSync(path.join(home, '.brev-jobs')).filter((name) => name.startsWith('evaluate'));
    assert.equal(ofSdk.length, 1);
    assert.ok(!JSON.stringify(state).includes(world.s3.secretKey));
  };

  it('runs to its end, with the checks and the price before it, through S3', async () => {
    const { made: world, plan } = await begin();
    const look = world.world();
    const checks = await checkSteps(look, plan, () => true, never);
    assert.deepEqual(
      checks
        .filter(({ state }) => state !== 'passed')
        .map(({ sentence, step }) => `${step}: ${inEnglish(sentence)}`),
      [],
    );
    const estimate = await estimateCost(look, plan, () => true);
    assert.equal(estimate.atMost, undefined);
    const [prepare, , train] = estimate.steps;
    assert.ok((prepare?.atMost ?? 0) > 0, JSON.stringify(prepare));
    assert.equal(train?.pricePerHour, undefined);

    const window = await world.open(plan);
    assert.equal(await window.ended, 'complete', JSON.stringify(window.run.state.steps, null, 1));
    await window.close();
    await assertDone(world);
    assert.equal(world.records().length, 5);
    assert.ok(!existsSync('/results'));
  });

  it('comes to the same end with windows that are closed in the middle, again and again, on two computers', async () => {
    const { made: world, plan } = await begin();
    let ended: string | undefined;
    for (let windows = 0; ended === undefined; windows++) {
      assert.ok(windows < 60);
      // all that the other computer has of it is the state beside the plan
      const window = await world.open(plan, windows % 3 === 1 ? 'two' : 'one');
      // the first one is closed when its results are not saved yet: they are all on a machine that is to be deleted
      const over =
        windows === 0
          ? new Promise<void>((resolve) => {
              window.run.onChange(({ steps }) => {
                if (steps.prepare?.phase === 'saving') resolve();
              });
            })
          : wait(700 + 400 * windows);
      ended = await Promise.race([window.ended, over.then(() => undefined)]);
      await window.close();
    }
    assert.equal(ended, 'complete', JSON.stringify(world.state().steps, null, 1));
    await assertDone(world);
    // each step ran once: what was closed before its launch was never launched
    for (const [name, { attempts }] of Object.entries(world.state().steps)) {
      assert.deepEqual(
        attempts.filter(({ end }) => end !== 'neverLaunched').map(({ end }) => end),
        ['complete'],
        name,
      );
    }
  });

  it('is not begun when something is missing', async () => {
    const { made: world } = await begin();
    const plan = await planOf([
      { name: 'a', platform: 'brev', command: 'true', instance: 'nobody', env: ['NO_SUCH'] },
      {
        name: 'b',
        platform: 'lepton',
        image: 'x',
        command: 'true',
        shape: 'gpu.9xz',
        inputs: { '/x': 's3://bkt/raw/' },
      },
      { name: 'c', platform: 'lepton', image: 'x', command: 'true', env: ['SECRET_OF_NOBODY'] },
      { name: 'd', platform: 'brev', command: 'true', instance: 'gpu1', inputs: { '/x': 's3://bkt/none/' } },
      { name: 'e', platform: 'brev', command: 'true', instance: 'gpu1', outputs: 's3://no-bucket/x/' },
      { name: 'f', platform: 'brev-sdk', skill: 'dino', image: 'x', spec: 'none.yaml', instance: 'gpu1' },
    ]);
    const checks = await checkSteps(world.world(), plan, () => true, never);
    assert.deepEqual(
      checks
        .filter(({ state }) => state === 'failed')
        .map(({ sentence, step }) => `${step}: ${inEnglish(sentence)}`.slice(0, 60)),
      [
        'a: There is no instance nobody (any more).',
        'a: NO_SUCH is not set.',
        'b: Lepton has no shape gpu.9xz here. It has: gpu.8xh100-80gb, cpu.small',
        'c: The Lepton workspace has no secrets SECRET_OF_NOBODY. Make them there.',
        'd: There is nothing at s3://bkt/none/.',
        'e: There is no bucket no-bucket at this S3 server. Check its name, and S3_ENDPOINT_URL.',
        'f: There is no spec file none.yaml beside the plan.',
      ].map((line) => line.slice(0, 60)),
    );
    assert.equal((await world.cloud.sim.instances()).length, 1);
  });
});
