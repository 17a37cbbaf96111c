import { writeFileSync } from 'node:fs';
import { startCloudS3 } from '../../unit/workflow/cloudWorld.ts';
import { fateOf, gaps, type Played, playFiveSteps } from './play.ts';

/** Without `all`, one point of so many. */
const STRIDE = 12;

/**
 * Plays the plan of five steps again and again, each time with its process killed at another point: at all that an
 * undisturbed run comes to, a part of these, or one of that name. Returns how many went wrong.
 */
export async function sweepFiveSteps(options: {
  readonly at: string | undefined;
  readonly all: boolean;
  /** Of the points that are chosen, those from this one on. */
  readonly from: number;
  readonly count: number;
  readonly seed: number;
  readonly parallel: number;
}): Promise<number> {
  const { all, at, count, from, parallel, seed } = options;
  const s3 = await startCloudS3();
  const begun = performance.now();
  let wrong = 0;
  let kills = 0;
  let played = 0;
  const judge = (point: string, outcome: Played): void => {
    played++;
    kills += outcome.kills;
    if (outcome.kills === 0) console.log(`  not come to: ${point}`);
    if (outcome.wrong.length === 0) return;
    wrong++;
    const file = `${outcome.root}.history`;
    writeFileSync(file, outcome.lives.map((life) => life.join('\n')).join('\n\n'));
    console.log(`✗ killed ${point}`);
    for (const words of outcome.wrong) console.log(`    ${words}`);
    console.log(`    all that is left of it: ${outcome.root}, ${file}`);
    console.log(`    again: npm run chaos -- --five-steps --at '${point}'`);
  };
  try {
    const undisturbed = at === undefined ? await playFiveSteps(s3, undefined) : undefined;
    if (undisturbed !== undefined && undisturbed.wrong.length > 0) {
      console.log(`✗ undisturbed\n    ${undisturbed.wrong.join('\n    ')}`);
      return 1;
    }
    const points = at === undefined ? gaps(undisturbed?.lives[0] ?? []) : [at];
    const sampled =
      at === undefined && !all ? points.filter((_, index) => index % STRIDE === seed % STRIDE) : points;
    const chosen = sampled.slice(from, from + count);
    console.log(`killed at ${chosen.length} of ${points.length} points`);
    const waiting = [...chosen];
    const work = async (): Promise<void> => {
      for (let point = waiting.shift(); point !== undefined; point = waiting.shift()) {
        judge(point, await playFiveSteps(s3, fateOf(point)));
        if (played % 25 === 0) {
          console.log(
            `${played} of ${chosen.length} played in ${Math.round((performance.now() - begun) / 1_000)} s`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    const seconds = Math.round((performance.now() - begun) / 1_000);
    console.log(
      `${played - wrong} went well, ${wrong} wrong, ${kills} processes were killed, in ${seconds} s`,
    );
    return wrong;
  } finally {
    await s3.dispose();
  }
}
