import { type Outcome, play } from './play.ts';
import { planSchedule, type Route, type Schedule } from './schedule.ts';
import { ProcessWatch } from './secrets.ts';
import { canMount } from './world.ts';

export interface Summary {
  readonly played: number;
  /** The seeds of the schedules that went wrong. */
  readonly failed: readonly number[];
  /** How many schedules each kind of fault struck in. */
  readonly struck: ReadonlyMap<string, number>;
  /** How many jobs ended with each of the words that records have for that. */
  readonly ends: ReadonlyMap<string, number>;
}

/** Plays schedules with seeds in a row, several at a time. */
export async function playAll(options: {
  readonly count: number;
  readonly seed: number;
  readonly route: Route | 'both';
  readonly parallel: number;
  readonly keep: boolean;
  readonly onPlayed: (schedule: Schedule, outcome: Outcome) => void;
}): Promise<Summary> {
  const { count, keep, onPlayed, parallel, route, seed } = options;
  const watch = new ProcessWatch();
  const mounts = canMount();
  const failed: number[] = [];
  const struck = new Map<string, number>();
  const ends = new Map<string, number>();
  const increase = (map: Map<string, number>, name: string): void => {
    map.set(name, (map.get(name) ?? 0) + 1);
  };
  let next = seed;
  const work = async (): Promise<void> => {
    while (next < seed + count) {
      const schedule = planSchedule(next++, route);
      const outcome = await play(schedule, { mounts, keep });
      const leaks = watch.leaks
        .filter((leak) => leak.seed === schedule.seed)
        .map(({ where }) => `a secret stood in the ${where}`);
      const wrong = [...outcome.wrong, ...new Set(leaks)];
      if (wrong.length > 0) failed.push(schedule.seed);
      for (const kind of outcome.struck) increase(struck, kind);
      for (const end of outcome.ends) increase(ends, end);
      onPlayed(schedule, { ...outcome, wrong });
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  watch.end();
  return { played: count, failed, struck, ends };
}
