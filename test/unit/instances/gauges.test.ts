import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InstanceGauges } from '../../../src/instances/gauges.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('how busy an instance is', () => {
  it('is told while it is fresh, and unknown again once nobody has looked for a minute', async () => {
    const clock = new FakeClock();
    const gauges = new InstanceGauges(clock);
    const told: string[] = [];
    gauges.onChange((id) => told.push(id));
    assert.equal(gauges.now('a'), undefined);
    const gauge = { gpus: [], disk: undefined };
    gauges.set('a', gauge);
    assert.deepEqual(told, ['a']);
    assert.equal(gauges.now('a'), gauge);
    assert.equal(gauges.now('b'), undefined);
    await clock.advance(61_000);
    assert.equal(gauges.now('a'), undefined);
  });
});
