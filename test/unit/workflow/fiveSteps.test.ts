import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'node:test';
import { inEnglish } from '../../../src/values/message.ts';
import { checkSteps, estimateCost } from '../../../src/workflow/estimate.ts';
import { differences, outcomeOf, remains } from '../../chaos/fiveSteps/outcome.ts';
import { liveOnce } from '../../chaos/fiveSteps/planWindow.ts';
import { playFiveSteps, UNDISTURBED } from '../../chaos/fiveSteps/play.ts';
import { type CloudS3, type CloudWorld, createCloudWorld, startCloudS3 } from './cloudWorld.ts';
import { fiveSteps } from './fiveSteps.ts';
import { planOf } from './plans.ts';
import { seenByLep } from './seenByLep.ts';

/** While a machine is made, results are on it alone, a job is launched and nobody knows yet, an output is being saved. */
const KILLED_AT = [
  '20 ms into brev create flow #1 (prepare running)',
  'after state merge saving complete #1 (merge running open)',
  'after lepton POST /jobs #1 (train running open)',
  'seen bridge registered #1 (evaluate running open)',
];
const never = new AbortController().signal;

describe('a plan over all platforms', { timeout: 600_000 }, () => {
  let s3: CloudS3;
  let made: CloudWorld | undefined;
  before(async () => {
    s3 = await startCloudS3();
  });
  afterEach(async () => {
    await made?.dispose();
    made = undefined;
  });
  after(() => s3.dispose());

  it('runs to its end, with the checks and the price before it, through S3; lep sees its job', async () => {
    const world = await createCloudWorld(s3);
    made = world;
    const plan = await fiveSteps(world);
    const look = world.world();
    const [checks, estimate] = await Promise.all([
      checkSteps(look, plan, () => true, never),
      estimateCost(look, plan, () => true),
    ]);
    assert.deepEqual(
      checks
        .filter(({ state }) => state !== 'passed')
        .map(({ sentence, step }) => `${step}: ${inEnglish(sentence)}`),
      [],
    );
    assert.equal(estimate.atMost, undefined);
    const [prepare, , train] = estimate.steps;
    assert.ok((prepare?.atMost ?? 0) > 0, JSON.stringify(prepare));
    assert.equal(train?.pricePerHour, undefined);

    const life = await liveOnce(plan, world.places());
    assert.equal(life.ended, 'complete', JSON.stringify(world.state().steps, null, 1));
    assert.deepEqual(differences(await outcomeOf(world), UNDISTURBED), []);
    assert.equal(world.records().length, 5);
    assert.deepEqual(await remains(world), []);
    assert.ok(!existsSync('/results'));
    await seenByLep(world);
  });

  it('comes to the same end when its processes are killed in the middle, again and again', async () => {
    const played = await playFiveSteps(s3, KILLED_AT, false);
    assert.deepEqual(played.wrong, []);
    // alone, where a kill at random soon after another one came before it: nothing comes before the first
    for (const point of played.missed) {
      const alone = await playFiveSteps(s3, [point], false);
      assert.deepEqual([alone.wrong, alone.missed], [[], []]);
    }
  });

  it('is not begun when something is missing', async () => {
    const world = await createCloudWorld(s3);
    made = world;
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
