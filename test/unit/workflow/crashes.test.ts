import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dramaOf, playPlan, worldOf } from '../../chaos/plans.ts';
import { start, toTheEnd } from './play.ts';
import { resultOf } from './playedWorld.ts';

const SEEDS = 12;

describe('an executor that is killed', () => {
  it(`ends ${SEEDS} random plans as if it had not been, killed before and after each thing that it does`, async () => {
    const endings = new Set<string>();
    let kills = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const played = await playPlan(seed);
      assert.deepEqual(played.wrong, [], `seed ${seed}`);
      for (const phase of played.phases) endings.add(phase);
      kills += played.kills;
    }
    assert.deepEqual(endings, new Set(['blocked', 'done', 'failed', 'skipped', 'unknown']));
    assert.ok(kills > 1_000, String(kills));
  });

  it('goes on to cancel what was to be cancelled', async () => {
    for (let killAt = 1; killAt < 40; killAt++) {
      const drama = await dramaOf(3);
      const world = worldOf(drama);
      const first = start(drama.plan, world, { kind: 'anew' });
      void first.run.run(new AbortController().signal);
      await world.clock.advance(90_000);
      void first.run.cancel();
      await world.clock.advance(0);
      first.process.kill();
      // the state with the cancel in it is all that the next one has
      const second = start(drama.plan, world, 'continue', killAt);
      await toTheEnd(second, world);
      const third = start(drama.plan, world, 'continue');
      await toTheEnd(third, world);
      const result = resultOf(drama.plan, world);
      assert.deepEqual(result.wrong, [], `killed at ${killAt}`);
      assert.equal(result.standing, 0);
      assert.equal(result.ended === 'complete', false);
    }
  });
});
