import { type CloudS3, createCloudWorld } from '../../unit/workflow/cloudWorld.ts';
import { fiveSteps } from '../../unit/workflow/fiveSteps.ts';
import { Random } from '../random.ts';
import { differences, outcomeOf, remains } from './outcome.ts';
import { liveOnce } from './planWindow.ts';

/** How the processes of a plan's run die, one after another; the last one lives to the end of the plan. */
export interface Fate {
  /** The point at which the first one dies. */
  readonly point: string;
  /** At its so-maniest point the second one dies too. */
  readonly second: number | undefined;
  /** Whether the second one is on another computer, which has nothing but the state file. */
  readonly elsewhere: boolean;
}

export interface Played {
  readonly wrong: readonly string[];
  /** How many processes were killed: a point that a run doesn't come to kills none. */
  readonly kills: number;
  /** What each process came to. */
  readonly lives: readonly (readonly string[])[];
  /** Where all that is left of it is, when something is wrong. */
  readonly root: string;
  readonly seconds: number;
}

/** What an undisturbed run comes to. */
export const UNDISTURBED: readonly string[] = [
  'the plan: complete',
  'prepare done complete',
  'merge done complete',
  'train done complete',
  'evaluate done complete',
  'report done complete',
  'the machine of prepare: deleted',
  'evaluate ran 1 times',
  'merge ran 1 times',
  'prepare ran 1 times',
  'report ran 1 times',
  'train-0 ran 1 times',
  'train-1 ran 1 times',
  'job evaluate brev-sdk COMPLETE',
  'job merge brev COMPLETE',
  'job prepare brev COMPLETE',
  'job report brev COMPLETE',
  'job train lepton COMPLETE',
  'instance gpu1',
  'on Lepton train Completed',
  'in S3 evaluate/*/spec.yaml',
  'in S3 merge/merged.txt: raw datamerged',
  'in S3 prepare/prepared.txt: raw data',
  'in S3 report/report.txt: raw datamerged, trained on 2 nodes, 1',
  'in S3 train/model.txt: raw datamerged, trained on 2 nodes',
];

/** The fate that belongs to a point: always the same one. */
export function fateOf(point: string): Fate {
  const random = new Random([...point].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7));
  const elsewhere = random.chance(0.35);
  return { point, elsewhere, second: random.chance(0.6) ? random.between(1, 40) : undefined };
}

/** Plays the plan in a world of its own; without a fate nothing happens to it. */
export async function playFiveSteps(s3: CloudS3, fate: Fate | undefined): Promise<Played> {
  const begun = performance.now();
  const world = await createCloudWorld(s3);
  const { root } = world.cloud.sim;
  const wrong: string[] = [];
  const lives: (readonly string[])[] = [];
  let kills = 0;
  try {
    const plan = await fiveSteps(world);
    const deaths =
      fate === undefined ? [] : [fate.point, ...(fate.second === undefined ? [] : [fate.second])];
    for (const [index, death] of [...deaths, undefined].entries()) {
      const computer = index === 1 && fate?.elsewhere === true ? 'two' : 'one';
      const life = await liveOnce(plan, world.places(computer), death);
      lives.push(life.points);
      kills += Number(life.killed);
      if (life.ended !== undefined) break;
    }
    wrong.push(...differences(await outcomeOf(world), UNDISTURBED), ...(await remains(world)));
  } catch (error) {
    wrong.push(String(error));
  }
  if (wrong.length === 0) await world.dispose();
  return { wrong, kills, lives, root, seconds: (performance.now() - begun) / 1_000 };
}

/** The points at which to kill, of those that a run came to: between two things that happen outside one is enough. */
export function gaps(points: readonly string[]): readonly string[] {
  return points.filter(
    (point, at) => !point.startsWith('before ') || /^(?:before|within) /.test(points[at - 1] ?? 'before '),
  );
}
