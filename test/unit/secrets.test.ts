import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { play } from '../chaos/play.ts';
import type { PlannedJob, Route } from '../chaos/schedule.ts';
import { ProcessWatch } from '../chaos/secrets.ts';

const job = (kind: PlannedJob['kind'], index: number): PlannedJob => ({
  key: `k${index}x1000`,
  kind,
  exitCode: 0,
  obeysTerm: true,
  withSecrets: true,
  afterMs: 0,
  pauseMs: 60,
  outputSeed: index,
});

describe('the secrets of jobs', { concurrency: 2 }, () => {
  for (const [route, seed] of [
    ['exec', 900_000_001],
    ['ssh', 900_000_002],
  ] as const satisfies readonly (readonly [Route, number])[]) {
    it(`by ${route} stand on no command line, in no file and in no log, and reach the programs`, async () => {
      const watch = new ProcessWatch(10);
      const jobs = [job('container', 0), job('command', 1)];
      const outcome = await play({ seed, route, jobs, faults: [] }, { mounts: false, keep: false });
      watch.end();
      assert.deepEqual(outcome.wrong, []);
      assert.deepEqual(outcome.ends, ['COMPLETE: exit code 0', 'COMPLETE: exit code 0']);
      assert.deepEqual(
        watch.leaks.filter((leak) => leak.seed === seed),
        [],
      );
      // the watch sees what there is to see
      assert.ok(watch.sightings > 0);
    });
  }
});
