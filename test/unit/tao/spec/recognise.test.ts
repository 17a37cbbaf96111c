import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { builtInCatalogue } from '../../../../src/tao/catalogue/builtIn.ts';
import { findModel } from '../../../../src/tao/catalogue/catalogue.ts';
import { type Recognition, recogniseSpec } from '../../../../src/tao/spec/recognise.ts';
import { SIGNATURES } from '../../../../src/tao/spec/signatures.ts';
import { parseSpec } from '../../../../src/tao/spec/specDocument.ts';
import { repositoryRoot } from '../../../support/paths.ts';
import { sampleSpecs } from './sampleSpecs.ts';

async function recognised(text: string, file = ''): Promise<Recognition> {
  const parsing = await parseSpec(text);
  if (parsing.kind !== 'read') throw new Error(`not read: ${JSON.stringify(parsing)}`);
  return recogniseSpec(parsing.document, text, file);
}

describe('a spec is recognised by its content', () => {
  for (const [model, text] of Object.entries(sampleSpecs)) {
    it(model, async () => {
      const { isSpec, model: found, confidence, action } = await recognised(text);
      assert.deepEqual([isSpec, found, action], [true, model, 'train']);
      assert.notEqual(confidence, 'none');
    });
  }

  it('in all models that have signs, of which each is in the catalogue', () => {
    assert.deepEqual(new Set(Object.keys(SIGNATURES)), new Set(Object.keys(sampleSpecs)));
    for (const model of Object.keys(SIGNATURES)) assert.equal(findModel(builtInCatalogue, model)?.id, model);
  });

  it('and by the name that it gives itself before all', async () => {
    const named = await recognised(`model_name: rtdetr\n${sampleSpecs.dino}`);
    assert.deepEqual([named.model, named.confidence], ['rtdetr', 'sure']);
  });

  it('and says how sure that is, and what else it may be', async () => {
    assert.equal((await recognised(sampleSpecs.segformer ?? '')).confidence, 'sure');
    const detection =
      'results_dir: /r\ntrain: {num_epochs: 1, num_gpus: 1}\ndataset:\n  train_data_sources: [{image_dir: /d, json_file: /j}]\nmodel: {num_queries: 300}\n';
    const unsure = await recognised(detection);
    assert.equal(unsure.confidence, 'guess');
    assert.ok(unsure.alternatives.length >= 2);
    assert.equal((await recognised(detection, '/x/rtdetr/train.yaml')).model, 'rtdetr');
  });

  it('its path decides only where the content does not', async () => {
    assert.equal((await recognised(sampleSpecs.segformer ?? '', '/x/dino/train.yaml')).model, 'segformer');
    const plain = 'results_dir: /r\ntrain: {num_epochs: 1, num_gpus: 1}\n';
    assert.deepEqual(await recognised(plain, '/x/mal/train.yaml'), {
      isSpec: true,
      model: 'mal',
      action: 'train',
      confidence: 'guess',
      alternatives: [],
    });
    assert.deepEqual(await recognised(plain), {
      isSpec: true,
      model: undefined,
      action: 'train',
      confidence: 'none',
      alternatives: [],
    });
  });

  it('its action by its file, its only section, or as a training', async () => {
    const evaluate =
      'results_dir: /r\nmodel: {decode_head: {}}\ndataset: {segment: {root_dir: /d}}\nevaluate: {checkpoint: /d/x.pth}\n';
    assert.deepEqual(
      [(await recognised(evaluate)).isSpec, (await recognised(evaluate)).action],
      [true, 'evaluate'],
    );
    assert.equal((await recognised(`${sampleSpecs.segformer}export: {}\n`)).action, 'train');
    assert.equal(
      (await recognised(`${sampleSpecs.segformer}export: {}\n`, 'C:\\a\\export.yaml')).action,
      'export',
    );
  });

  it('those of the demo too', async () => {
    for (const spec of globSync('test/demo/**/specs/*.yaml', { cwd: repositoryRoot })) {
      const text = readFileSync(path.join(repositoryRoot, spec), 'utf8');
      const said = /^model_name: (\w+)/m.exec(text)?.[1];
      const { model, isSpec, confidence } = await recognised(text, spec);
      assert.deepEqual([isSpec, model, confidence], [true, said, 'sure'], spec);
      const unnamed = await recognised(text.replace(/^model_name: .*$/m, ''));
      assert.equal(unnamed.model, said, spec);
    }
  });
});

describe('what is no spec', () => {
  const OTHERS: Readonly<Record<string, string>> = {
    compose: 'services:\n  web:\n    image: x\n    volumes: ["/data:/data"]\n',
    workflow: 'name: CI\non: push\njobs:\n  test:\n    runs-on: ubuntu\n    steps: [{run: npm test}]\n',
    kubernetes: 'apiVersion: v1\nkind: Pod\nmetadata: {name: train}\nspec: {containers: [{image: x}]}\n',
    hydra: 'model: resnet\ndataset: cifar\ntrain: {lr: 0.1, epochs: 3}\n',
    ultralytics: 'train: images/train\nval: images/val\nnames: {0: cat}\n',
    dataset: 'dataset: {path: /data}\n',
  };
  for (const [name, text] of Object.entries(OTHERS)) {
    it(name, async () => {
      assert.equal((await recognised(text, `/x/${name}.yaml`)).isSpec, false);
    });
  }
});
