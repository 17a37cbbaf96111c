import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Plan } from '../../../src/workflow/plan.ts';
import { Random } from '../../chaos/random.ts';
import { planOf } from './plans.ts';
import { start, toTheEnd } from './play.ts';
import { type PlayedTry, PlayedWorld, resultOf } from './playedWorld.ts';

const SEEDS = 12;

interface Drama {
  readonly plan: Plan;
  readonly tries: ReadonlyMap<string, readonly PlayedTry[]>;
  readonly inS3: readonly string[];
}

/** A plan of random shape, and how its steps go. */
async function dramaOf(seed: number): Promise<Drama> {
  const random = new Random(seed);
  const steps: Record<string, unknown>[] = [];
  const tries = new Map<string, readonly PlayedTry[]>();
  const inS3: string[] = [];
  for (let index = 0; index < random.between(3, 6); index++) {
    const name = `s${index}`;
    const platform = random.pick(['brev', 'lepton', 'brev-sdk']);
    const earlier = steps.filter(() => random.chance(0.4)).map((step) => step.name);
    const sharing = steps.filter((step) => step.platform !== 'lepton');
    const skips = random.chance(0.2);
    if (skips && random.chance(0.5)) inS3.push(`s3://bucket/${name}/`);
    const shared = sharing[random.between(0, Math.max(0, sharing.length - 1))];
    steps.push({
      name,
      platform,
      needs: earlier,
      command: 'true',
      image: 'image:1',
      outputs: `s3://bucket/${name}/`,
      retries: random.between(0, 2),
      skipIfOutputExists: skips,
      ...(random.chance(0.3) ? { timeout: '15m' } : {}),
      ...(platform === 'lepton'
        ? {}
        : {
            instance:
              shared !== undefined && random.chance(0.5) ? { of: shared.name } : random.pick(['new', 'mine']),
          }),
    });
    tries.set(
      name,
      Array.from({ length: random.between(1, 3) }, () => ({
        ms: random.between(1, 20) * 60_000,
        end: random.chance(0.7) ? 'complete' : random.pick(['failed', 'failed', 'refused', 'unknown']),
      })),
    );
  }
  return { plan: await planOf({ steps }), tries, inS3 };
}

function worldOf({ inS3, tries }: Drama): PlayedWorld {
  const world = new PlayedWorld(tries);
  for (const uri of inS3) world.inS3.add(uri);
  return world;
}

describe('an executor that is killed', () => {
  it(`ends ${SEEDS} random plans as if it had not been, killed before and after each thing that it does`, async () => {
    const endings = new Set<string>();
    let kills = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const drama = await dramaOf(seed);
      const undisturbed = worldOf(drama);
      const whole = start(drama.plan, undisturbed, { kind: 'anew' });
      await toTheEnd(whole, undisturbed);
      const expected = resultOf(drama.plan, undisturbed);
      assert.deepEqual(expected.wrong, [], `seed ${seed}`);
      for (const { phase } of expected.steps) endings.add(phase ?? '');
      for (let killAt = 1; killAt <= whole.process.points; killAt++) {
        const world = worldOf(drama);
        const first = start(drama.plan, world, { kind: 'anew' }, killAt);
        await toTheEnd(first, world);
        // a second death not long after the first one
        const second = start(drama.plan, world, 'continue', 1 + (killAt % 7));
        await toTheEnd(second, world);
        const last = start(drama.plan, world, 'continue');
        await toTheEnd(last, world);
        kills += Number(first.process.killed) + Number(second.process.killed);
        assert.deepEqual(resultOf(drama.plan, world), expected, `seed ${seed}, killed at ${killAt}`);
      }
    }
    assert.deepEqual(endings, new Set(['blocked', 'done', 'failed', 'skipped', 'unknown']));
    assert.ok(kills > 1_000, String(kills));
  });

  it('goes on to cancel what was to be cancelled', async () => {
    for (let killAt = 1; killAt < 40; killAt++) {
      const drama = await dramaOf(3);
      const world = worldOf(drama);
      const first = start(drama.plan, world, { kind: 'anew' });
      void first.run.run(new AbortController().signal);
      await world.clock.advance(90_000);
      void first.run.cancel();
      await world.clock.advance(0);
      first.process.kill();
      // the state with the cancel in it is all that the next one has
      const second = start(drama.plan, world, 'continue', killAt);
      await toTheEnd(second, world);
      const third = start(drama.plan, world, 'continue');
      await toTheEnd(third, world);
      const result = resultOf(drama.plan, world);
      assert.deepEqual(result.wrong, [], `killed at ${killAt}`);
      assert.equal(result.standing, 0);
      assert.equal(result.ended === 'complete', false);
    }
  });
});
