import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Offer } from '../../../../src/instances/offers.ts';
import { ok } from '../../../../src/values/outcome.ts';
import { factShell, type Given, lineOf } from './support/launch.ts';

function offer(count: number, vramGb: number): Offer {
  return {
    type: 't',
    cloud: 'c',
    provider: 'p',
    gpu: { name: 'L4', count, vramGb },
    vcpus: 8,
    ramGb: 64,
    diskGb: { min: 100, max: 100 },
    bootSeconds: undefined,
    stoppable: undefined,
    pricePerHour: 1,
  };
}

const gpus = (count: number | string): Given => ({
  shell: async () =>
    ok(factShell(['docker up 28', 'runtime yes', 'image present', 'free 99999999', `gpus ${count}`]).shell),
});
const size = (given: Given): Promise<string | undefined> => lineOf('machineSize', given);
const changenet: Given = { run: { network: 'visual_changenet' } };
const asks = (count: number): Given => ({ spec: `train:\n  num_gpus: ${count}\n` });

describe('the size of the machine, before a run', () => {
  it('warns of fewer GPUs than the spec asks for, by what the instance shows', async () => {
    assert.equal(
      await size({ ...asks(4), ...gpus(2), offer: offer(4, 24) }),
      'warning: The run needs 4 GPUs, and gpu-1 has 2. [find a machine]',
    );
    assert.match((await size({ ...asks(2), ...gpus(2), offer: offer(2, 24) })) ?? '', /^passed/);
  });

  it('warns of less GPU memory than the model is known to need', async () => {
    assert.equal(
      await size({ ...changenet, ...gpus(1), offer: offer(1, 12) }),
      'warning: The run needs GPUs with 16 GB, and those of gpu-1 have 12 GB. [find a machine]',
    );
    assert.match((await size({ ...changenet, ...gpus(1), offer: offer(1, 24) })) ?? '', /^passed/);
  });

  it('takes the number of GPUs that the user has chosen for a training before the spec’s', async () => {
    const chosen: Given = { run: { gpus: 2 } };
    assert.match((await size({ ...asks(8), ...chosen, ...gpus(4), offer: offer(4, 24) })) ?? '', /^passed/);
    const evaluated: Given = { run: { gpus: 1, action: 'evaluate' }, spec: 'evaluate:\n  num_gpus: 4\n' };
    assert.match((await size({ ...evaluated, ...gpus(4), offer: offer(4, 24) })) ?? '', /^warning/);
  });

  it('says that it does not know, and never that it is too small, where nothing is known', async () => {
    const unknown = 'skipped: Whether gpu-1 is large enough is not known.';
    assert.equal(await size({ ...asks(4), ...gpus('') }), unknown);
    assert.equal(await size({ ...changenet, ...gpus(1) }), unknown);
    assert.equal(
      await size({ ...gpus(1), run: { network: 'of_my_own' } }),
      'passed: It has a GPU; how much of_my_own needs is not known.',
    );
  });
});
