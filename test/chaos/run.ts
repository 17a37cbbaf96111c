// `npm run chaos -- [--schedules N] [--seed N] [--jobs N] [--route exec|ssh|both] [--keep] [--history]`: plays so many
// schedules of faults, from this seed on, and says which went wrong and how to play them again. `--plans N`: so many random
// plans, each with an executor that is killed at every point of it.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { sweepFiveSteps } from './fiveSteps/sweep.ts';
import { playPlan } from './plans.ts';
import { playAll } from './playAll.ts';
import type { Route } from './schedule.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '100' },
    plans: { type: 'string', default: '100' },
    seed: { type: 'string' },
    jobs: { type: 'string' },
    route: { type: 'string', default: 'both' },
    keep: { type: 'boolean', default: false },
    history: { type: 'boolean', default: false },
    'five-steps': { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    at: { type: 'string', multiple: true, default: [] },
  },
});

function routeOf(text: string): Route | 'both' {
  if (text === 'exec' || text === 'ssh' || text === 'both') return text;
  throw new Error(`--route is exec, ssh or both, not ${text}`);
}

const route = routeOf(values.route);
const seed = Number(values.seed ?? 1 + (Date.now() % 1_000_000));
if (values['five-steps']) {
  const parallel = Number(values.jobs ?? availableParallelism());
  const wrong = await sweepFiveSteps({ all: values.all, at: values.at, seed, parallel });
  process.exit(wrong === 0 ? 0 : 1);
}
const count = Number(values.schedules);
console.log(`${count} schedules from seed ${seed} on, route ${route}`);
const begun = performance.now();
let played = 0;
const summary = await playAll({
  count,
  seed,
  route,
  parallel: Number(values.jobs ?? 3 * availableParallelism()),
  keep: values.keep,
  onPlayed: (schedule, outcome) => {
    played++;
    if (outcome.wrong.length > 0) {
      const file = `${outcome.root}.history`;
      writeFileSync(file, `${JSON.stringify(schedule, null, 1)}\n${outcome.history.join('\n')}\n`);
      console.log(`✗ seed ${schedule.seed} (${schedule.route}; ${outcome.struck.join(', ') || 'no fault'})`);
      for (const words of outcome.wrong) console.log(`    ${words}`);
      console.log(`    all that is left of it: ${outcome.root}, ${file}`);
      console.log(`    again: npm run chaos -- --schedules 1 --seed ${schedule.seed} --route ${route}`);
    }
    if (values.history) console.log(outcome.history.join('\n'));
    if (played % 25 === 0) {
      const seconds = Math.round((performance.now() - begun) / 1_000);
      console.log(`${played} of ${count} played in ${seconds} s, ${summaryLine(outcome.seconds)}`);
    }
  },
});

/** How many plans went wrong. */
async function playPlans(first: number, plans: number): Promise<number> {
  let wrong = 0;
  let kills = 0;
  for (let each = first; each < first + plans; each++) {
    const outcome = await playPlan(each);
    kills += outcome.kills;
    if (outcome.wrong.length > 0) {
      wrong++;
      console.log(`✗ plan of seed ${each}\n    ${outcome.wrong.join('\n    ')}`);
      console.log(`    again: npm run chaos -- --schedules 0 --plans 1 --seed ${each}`);
    }
  }
  console.log(`${plans - wrong} plans went well, ${wrong} wrong; their executors were killed ${kills} times`);
  return wrong;
}

function table(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, times]) => `${name} ${times}`);
}

function summaryLine(last: number): string {
  return `the last one took ${last.toFixed(1)} s`;
}

console.log(
  `${summary.played - summary.failed.length} went well, ${summary.failed.length} wrong, in ${Math.round((performance.now() - begun) / 1_000)} s`,
);
console.log(`struck: ${table(summary.struck).join(', ')}`);
console.log(`ends:\n  ${table(summary.ends).join('\n  ')}`);
if (summary.failed.length > 0) console.log(`seeds: ${summary.failed.join(' ')}`);
const plans = await playPlans(seed, Number(values.plans));
// what a schedule that went wrong has left is not waited for
process.exit(summary.failed.length === 0 && plans === 0 ? 0 : 1);
