import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Offer } from '../../../src/instances/offers.ts';
import { builtInCatalogue } from '../../../src/tao/catalogue/builtIn.ts';
import { findModel } from '../../../src/tao/catalogue/catalogue.ts';
import { type Fit, fitBeyond, fitOf, fitting, offersThatFit } from '../../../src/tao/fit.ts';
import { parseSpec } from '../../../src/tao/spec/specDocument.ts';
import { SpecView } from '../../../src/tao/spec/specView.ts';
import { inEnglish } from '../../../src/values/message.ts';

async function needs(model: string, text: string, action = 'train'): Promise<string> {
  const parsing = await parseSpec(text);
  const spec = parsing.kind === 'read' ? new SpecView(parsing.document) : undefined;
  const { gpus, gpusFrom, recommendedGpus, minVramGb, vramFrom } = fitOf(
    findModel(builtInCatalogue, model),
    spec,
    action,
  );
  return `${gpus ?? '-'} ${gpusFrom}, ${recommendedGpus ?? '-'}, ${minVramGb ?? '-'} ${vramFrom}`;
}

const ANY: Fit = {
  gpus: undefined,
  gpusFrom: 'unknown',
  recommendedGpus: undefined,
  minVramGb: undefined,
  vramFrom: 'unknown',
};

function offer(type: string, count: number, vramGb: number, pricePerHour: number | undefined): Offer {
  return {
    type,
    cloud: 'c',
    provider: 'p',
    gpu: count === 0 ? undefined : { name: 'L40S', count, vramGb },
    vcpus: 8,
    ramGb: 64,
    diskGb: { min: 100, max: 1000 },
    bootSeconds: undefined,
    stoppable: undefined,
    pricePerHour,
  };
}

describe('what a run needs', () => {
  it('is what its spec says, else what the catalogue says, else unknown', async () => {
    assert.equal(await needs('segformer', 'train: {num_gpus: 4}'), '4 spec, 2, - unknown');
    assert.equal(await needs('segformer', 'train: {}'), '1 catalogue, 2, - unknown');
    assert.equal(await needs('visual_changenet', 'a: b'), '1 catalogue, 8, 16 catalogue');
    assert.equal(await needs('dino', 'a: b'), '- unknown, -, - unknown');
    assert.equal(await needs('mine', 'train: {num_gpus: 2}'), '2 spec, -, - unknown');
    assert.equal(await needs('segformer', 'not: [yaml'), '1 catalogue, 2, - unknown');
  });

  it('is asked for by each action in its own section, and the numbers of a training are only for that', async () => {
    const text = 'train: {num_gpus: 4}\nevaluate: {num_gpus: 2}\n';
    assert.equal(await needs('nvdinov2', text, 'evaluate'), '2 spec, -, - unknown');
    assert.equal(await needs('nvdinov2', text, 'export'), '- unknown, -, - unknown');
    assert.equal(await needs('ocdnet', text, 'retrain'), '4 spec, 1, - unknown');
    assert.equal(await needs('visual_changenet', text, 'segment_train'), '4 spec, 8, 16 catalogue');
  });

  it('may stand in references and in the list of GPUs', async () => {
    assert.equal(
      await needs('dino', 'n: 3\ntrain: {num_gpus: "@{n}"}'.replace('@', '$')),
      '3 spec, -, - unknown',
    );
    assert.equal(await needs('dino', 'train: {num_gpus: 1, gpu_ids: [0, 3]}'), '4 spec, -, - unknown');
    assert.equal(await needs('dino', 'gpu_ids: [0]'), '1 spec, -, - unknown');
    for (const odd of ['-1', '0', '"@{oc.env:N}"', 'many', '1.5', '[1]']) {
      assert.equal(
        await needs('dino', `train: {num_gpus: ${odd.replace('@', '$')}}`),
        '- unknown, -, - unknown',
        odd,
      );
    }
  });

  it('is more than a GPU had that was too small', () => {
    assert.deepEqual(fitBeyond(ANY, 44.4), { ...ANY, minVramGb: 49, vramFrom: 'measured' });
    const large: Fit = { ...ANY, minVramGb: 80, vramFrom: 'catalogue' };
    assert.equal(fitBeyond(large, 44.4), large);
  });
});

describe('the offers that fit', () => {
  const offers = [
    offer('cpu', 0, 0, 0.1),
    offer('one-24', 1, 24, 0.9),
    offer('unpriced', 2, 80, undefined),
    offer('two-48', 2, 48, 3),
    offer('two-80', 2, 80, 2.5),
    offer('eight-80', 8, 80, 20),
    offer('mystery', 4, 0, 1),
  ];
  const types = (wanted: Partial<Fit>): readonly string[] =>
    offersThatFit(offers, { ...ANY, ...wanted }).map(({ type }) => type);

  it('are those that are large enough, cheapest first, without a price last', () => {
    assert.deepEqual(types({ gpus: 2 }), ['mystery', 'two-80', 'two-48', 'eight-80', 'unpriced']);
    assert.deepEqual(types({ gpus: 2, minVramGb: 60 }), ['two-80', 'eight-80', 'unpriced']);
    assert.deepEqual(types({}), ['one-24', 'mystery', 'two-80', 'two-48', 'eight-80', 'unpriced']);
    assert.deepEqual(types({ gpus: 9 }), []);
    assert.deepEqual(offers.map(({ type }) => type)[0], 'cpu', 'the list itself stays');
  });

  it('and what is too small says why', () => {
    const why = (index: number, wanted: Partial<Fit>): string => {
      const found = fitting(offers[index] ?? assert.fail(), { ...ANY, ...wanted });
      return found.kind === 'tooSmall' ? inEnglish(found.reason) : found.kind;
    };
    assert.equal(why(0, {}), 'cpu has no GPU, and TAO needs one.');
    assert.equal(why(1, { gpus: 2 }), 'The run needs 2 GPUs, and one-24 has 1.');
    assert.equal(why(1, { gpus: 16 }), 'The run needs 16 GPUs; an instance has up to 8.');
    assert.equal(why(1, { minVramGb: 40 }), 'The run needs GPUs with 40 GB, and those of one-24 have 24 GB.');
    assert.equal(why(6, { minVramGb: 40 }), 'unknown');
    assert.equal(why(1, {}), 'fits');
  });
});
