import assert from 'node:assert/strict';
import { it } from 'node:test';
import { networks } from '../../../../src/tao/networks.ts';
import { guessRun } from '../../../../src/tao/spec/guessRun.ts';
import { sampleSpecs } from './sampleSpecs.ts';

it('a run is guessed by the content of its spec, as a command that there is', async () => {
  for (const [model, text] of Object.entries(sampleSpecs)) {
    const { network, action } = await guessRun(Buffer.from(text), '/x/spec.yaml');
    assert.equal(network, model.startsWith('depth_net') ? 'depth_net' : model);
    assert.ok(networks[network ?? '']?.includes(action), model);
  }
});

it('a run of a spec that cannot be read, or is none, is guessed by its words', async () => {
  assert.deepEqual(await guessRun(Buffer.from('a: [\nmodel_name: dino\n'), '/x/export.yaml'), {
    network: 'dino',
    action: 'export',
  });
  assert.deepEqual(await guessRun(Uint8Array.of(0xff), '/x/segformer.yaml'), {
    network: 'segformer',
    action: 'train',
  });
  assert.equal((await guessRun(Buffer.from('a: b\n'), '/x/y.yaml')).network, undefined);
});
