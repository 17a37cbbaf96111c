import { writeFileSync } from 'node:fs';
import { startCloudS3 } from '../../unit/workflow/cloudWorld.ts';
import { STEPS } from '../../unit/workflow/fiveSteps.ts';
import { gaps, type Played, playFiveSteps } from './play.ts';

/** Without `all`, one row of points of so many. */
const STRIDE = 8;

/**
 * Plays the plan of five steps again and again, each time with its processes killed at other points, one in each step,
 * until that was at all points that an undisturbed run comes to, at a part of these, or at those that are named. Returns
 * how often it went wrong.
 */
export async function sweepFiveSteps(options: {
  readonly at: readonly string[];
  readonly all: boolean;
  readonly seed: number;
  readonly parallel: number;
}): Promise<number> {
  const { all, at, parallel, seed } = options;
  const s3 = await startCloudS3();
  const begun = performance.now();
  const seconds = (): number => Math.round((performance.now() - begun) / 1_000);
  let wrong = 0;
  let kills = 0;
  const playAll = async (rows: readonly (readonly string[])[]): Promise<readonly string[]> => {
    const waiting = [...rows];
    const missed: string[] = [];
    const work = async (): Promise<void> => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
        const played = await playFiveSteps(s3, row, true);
        kills += played.lives.length - 1;
        missed.push(...played.missed);
        if (played.wrong.length > 0) {
          wrong++;
          tell(row, played);
        }
        if (waiting.length % 10 === 0)
          console.log(`${rows.length - waiting.length} of ${rows.length} begun in ${seconds()} s`);
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    return missed;
  };
  try {
    if (at.length > 0) {
      await playAll([at]);
    } else {
      const undisturbed = await playFiveSteps(s3, [], true);
      if (undisturbed.wrong.length > 0) {
        tell([], undisturbed);
        return 1;
      }
      const rows = rowsOf(gaps(undisturbed.lives[0] ?? []).slice(1));
      const chosen = all ? rows : rows.filter((_, index) => index % STRIDE === seed % STRIDE);
      console.log(`to be killed at ${chosen.flat().length} of ${rows.flat().length} points`);
      // each alone, where an earlier kill has kept a run from coming to it
      const missed = await playAll((await playAll(chosen)).map((point) => [point]));
      for (const point of missed) console.log(`  no run came to it: ${point}`);
    }
    console.log(`${wrong} went wrong, ${kills} processes were killed, in ${seconds()} s`);
    return wrong;
  } finally {
    await s3.dispose();
  }
}

/** The points in rows with one of each step: what comes after a kill is as after none by the next step. */
function rowsOf(points: readonly string[]): readonly (readonly string[])[] {
  const bySteps = STEPS.map((step) =>
    points.filter((point) => (/\((\w+)[^)]*\)$/.exec(point)?.[1] ?? '').replace('begun', 'prepare') === step),
  );
  const most = Math.max(...bySteps.map(({ length }) => length));
  return Array.from({ length: most }, (_, row) =>
    bySteps.flatMap((ofStep) => {
      // spread over all rows, where a step has fewer
      const first = Math.ceil((row * ofStep.length) / most);
      const next = Math.ceil(((row + 1) * ofStep.length) / most);
      return ofStep.slice(first, next);
    }),
  );
}

function tell(row: readonly string[], { lives, root, wrong }: Played): void {
  const file = `${root}.history`;
  writeFileSync(file, lives.map((life) => life.join('\n')).join('\n\n'));
  console.log(`✗ killed ${row.join(', ')}`);
  for (const words of wrong) console.log(`    ${words}`);
  console.log(`    all that is left of it: ${root}, ${file}`);
  console.log(`    again: npm run chaos -- --five-steps ${row.map((point) => `--at '${point}'`).join(' ')}`);
}
