import { type CloudS3, createCloudWorld } from '../../unit/workflow/cloudWorld.ts';
import { fiveSteps } from '../../unit/workflow/fiveSteps.ts';
import { Random } from '../random.ts';
import { differences, outcomeOf, remains } from './outcome.ts';
import { liveOnce } from './planWindow.ts';

export interface Played {
  readonly wrong: readonly string[];
  /** The points at which none was killed, because none came to them. */
  readonly missed: readonly string[];
  /** What each process came to; all but the last were killed. */
  readonly lives: readonly (readonly string[])[];
  /** Where all that is left of it is, when something is wrong and that is to be kept. */
  readonly root: string;
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
  'in S3 evaluate/*/results_dir/train/experiment.yaml',
  'in S3 evaluate/*/results_dir/train/lightning_logs/version_1/events.out.tfevents.*',
  'in S3 evaluate/*/results_dir/train/lightning_logs/version_1/hparams.yaml',
  'in S3 evaluate/*/results_dir/train/model_epoch_000_step_00002.pth',
  'in S3 evaluate/*/results_dir/train/status.json',
  'in S3 evaluate/*/spec.yaml',
  'in S3 merge/merged.txt: raw datamerged',
  'in S3 prepare/prepared.txt: raw data',
  'in S3 report/report.txt: raw datamerged, trained on 2 nodes, 1',
  'in S3 train/model.txt: raw datamerged, trained on 2 nodes',
];

/** More than any run of the plan should need. */
const MOST_LIVES = 40;

/**
 * Plays the plan in a world of its own. Its process is killed at each of the points that it comes to, and another one
 * goes on; some of those are on another computer, which has nothing but the state file, and some are killed soon, too.
 * For the same points it is always the same ones.
 */
export async function playFiveSteps(
  s3: CloudS3,
  points: readonly string[],
  keepWrong: boolean,
): Promise<Played> {
  const world = await createCloudWorld(s3);
  const random = new Random(sumOf(points));
  const wrong: string[] = [];
  const lives: (readonly string[])[] = [];
  let missed = points;
  try {
    const plan = await fiveSteps(world);
    for (let isOver = false; !isOver; ) {
      const isLater = lives.length > 0;
      const computer = isLater && random.chance(0.3) ? 'two' : 'one';
      const soon = isLater && random.chance(0.4) ? { count: random.between(1, 30) } : {};
      const life = await liveOnce(plan, world.places(computer), { points: missed, ...soon });
      lives.push([`on computer ${computer}`, ...life.points]);
      missed = missed.filter((point) => !life.killed || point !== life.points.at(-1));
      isOver = !life.killed;
      if (lives.length > MOST_LIVES) throw new Error('it does not come to its end');
    }
    wrong.push(...differences(await outcomeOf(world), UNDISTURBED), ...(await remains(world)));
  } catch (error) {
    wrong.push(String(error));
  }
  if (wrong.length === 0 || !keepWrong) await world.dispose();
  return { wrong, missed, lives, root: world.cloud.sim.root };
}

function sumOf(words: readonly string[]): number {
  return [...words.join('\n')].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
}

/** The points at which to kill, of those that a run came to: between two things that happen outside one is enough. */
export function gaps(points: readonly string[]): readonly string[] {
  const isNews = (point: string): boolean => /^(?:after|seen) /.test(point);
  return points.filter((point, at) => !point.startsWith('before ') || !isNews(points[at - 1] ?? ''));
}
