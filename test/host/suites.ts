import path from 'node:path';

/** Test files that run in one window of VS Code, phase by phase. */
export interface HostSuite {
  readonly name: string;
  readonly restricted: boolean;
  readonly phases: readonly (readonly string[])[];
}

/**
 * Sorts test files into windows by their names: `NAME.test.ts` run together in the suite `main`, `NAME.seen.test.ts` in
 * the suite `seen`, `NAME.restricted.test.ts` in one where the folder isn't trusted, and `SUITE.NAME.phase1.test.ts`,
 * `SUITE.NAME.phase2.test.ts`… in one of their own, which is reloaded in between.
 */
export function suitesOf(files: readonly string[]): HostSuite[] {
  const suites = new Map<string, { restricted: boolean; phases: string[][] }>();
  for (const file of [...files].sort((a, b) => a.localeCompare(b))) {
    const base = path.basename(file);
    const phased = /^([^.]+)\..+\.phase(\d+)\.test\.ts$/.exec(base);
    const shared = /\.(restricted|seen)\.test\.ts$/.exec(base)?.[1];
    const restricted = shared === 'restricted';
    const name = phased?.[1] ?? shared ?? 'main';
    const index = phased ? Number(phased[2]) - 1 : 0;
    const suite = suites.get(name) ?? { restricted, phases: [] };
    suites.set(name, suite);
    while (suite.phases.length <= index) suite.phases.push([]);
    suite.phases[index]?.push(file);
  }
  return [...suites].map(([name, suite]) => ({ name, ...suite }));
}
