import assert from 'node:assert/strict';
import { it } from 'node:test';
import { playAll } from '../chaos/playAll.ts';

/** `npm run chaos` plays more of them, and says more of what went wrong. */
it('jobs survive fifty schedules of faults', { timeout: 600_000 }, async () => {
  const wrong: string[] = [];
  const { played, struck } = await playAll({
    count: 50,
    seed: 1,
    route: 'both',
    parallel: 6,
    keep: false,
    onPlayed: (schedule, outcome) => {
      if (outcome.wrong.length > 0) {
        wrong.push(
          `npm run chaos -- --schedules 1 --seed ${schedule.seed}`,
          ...outcome.wrong,
          ...outcome.history,
        );
      }
    },
  });
  assert.deepEqual(wrong, []);
  assert.equal(played, 50);
  assert.ok(struck.size > 10, [...struck.keys()].join());
});
