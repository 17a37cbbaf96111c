import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '../../src/workflow/plan.ts';
import { planOf } from '../unit/workflow/plans.ts';
import { start, toTheEnd } from '../unit/workflow/play.ts';
import { type PlayedTry, PlayedWorld, resultOf } from '../unit/workflow/playedWorld.ts';
import { Random } from './random.ts';

export interface Drama {
  readonly plan: Plan;
  readonly tries: ReadonlyMap<string, readonly PlayedTry[]>;
  readonly inS3: readonly string[];
}

/** A plan of random shape, and how its steps go. */
export async function dramaOf(seed: number): Promise<Drama> {
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

export function worldOf({ inS3, tries }: Drama): PlayedWorld {
  const world = new PlayedWorld(tries);
  for (const uri of inS3) world.inS3.add(uri);
  return world;
}

export interface PlanOutcome {
  readonly wrong: readonly string[];
  readonly kills: number;
  /** What became of the steps of the undisturbed run. */
  readonly phases: readonly string[];
}

/**
 * Runs a random plan, and then again and again with an executor that is killed before or after each thing that it does:
 * it must always come to the same end, and launch nothing twice.
 */
export async function playPlan(seed: number): Promise<PlanOutcome> {
  const drama = await dramaOf(seed);
  const undisturbed = worldOf(drama);
  const whole = start(drama.plan, undisturbed, { kind: 'anew' });
  await toTheEnd(whole, undisturbed);
  const expected = resultOf(drama.plan, undisturbed);
  const wrong = [...expected.wrong];
  let kills = 0;
  for (let killAt = 1; killAt <= whole.process.points; killAt++) {
    const world = worldOf(drama);
    const first = start(drama.plan, world, { kind: 'anew' }, killAt);
    await toTheEnd(first, world);
    // a second death not long after the first one
    const second = start(drama.plan, world, 'continue', 1 + (killAt % 7));
    await toTheEnd(second, world);
    await toTheEnd(start(drama.plan, world, 'continue'), world);
    kills += Number(first.process.killed) + Number(second.process.killed);
    const result = resultOf(drama.plan, world);
    if (!isDeepStrictEqual(result, expected)) {
      wrong.push(`killed at ${killAt}: ${JSON.stringify(result)}\ninstead of ${JSON.stringify(expected)}`);
    }
  }
  return { wrong, kills, phases: expected.steps.map(({ phase }) => phase ?? '') };
}
