import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { networks } from '../../../src/tao/networks.ts';
import { guessSpec } from '../../../src/tao/specGuess.ts';
import { repositoryRoot } from '../../support/paths.ts';

/** What nearly every training spec has (tao.md part 2, spec top keys). */
const TRAIN = `encryption_key: x
results_dir: /results
model:
  backbone: {type: fan_small}
dataset: {root_dir: /data}
train:
  num_gpus: 1
  num_epochs: 10
  optim: {lr: 0.0001}
  clip_grad_norm: 0.1
`;

const network = (file: string, text = TRAIN) => guessSpec(file, text).network;
const action = (file: string, text = TRAIN) => guessSpec(file, text).action;

describe('the guess of the network', () => {
  it('comes from the name that the spec gives itself', () => {
    for (const name of Object.keys(networks)) {
      assert.equal(network('/x/spec.yaml', `model_name: ${name}\n${TRAIN}`), name);
      assert.equal(
        network('/x/spec.yaml', `results_dir: /r\nmodel_name: "${name.replaceAll('_', '-')}"\n`),
        name,
      );
    }
  });

  it('comes from the path of the file where the spec does not say', () => {
    for (const name of Object.keys(networks)) {
      assert.equal(network(`/home/me/${name}/specs/train.yaml`), name, name);
      assert.equal(network(`/home/me/specs/${name.replaceAll('_', '-')}_train.yaml`), name, name);
      assert.equal(network(`C:\\specs\\${name}\\train.yaml`), name, name);
    }
  });

  it('takes the longest name: one is part of another', () => {
    assert.equal(network('/x/mask_grounding_dino.yaml'), 'mask_grounding_dino');
    assert.equal(network('/x/grounding-dino.yaml'), 'grounding_dino');
    assert.equal(network('/x/dinov3.yaml'), 'dinov3');
    assert.equal(network('/x/changenet.yaml'), 'visual_changenet');
    assert.equal(network('/x/mask2former_coco.yaml'), 'mask2former');
  });

  it('is not misled by words that every spec has, nor by a backbone', () => {
    assert.equal(network('/x/segformer_train.yaml'), 'segformer');
    assert.equal(network('/x/spec.yaml'), undefined);
    const changenet = 'task: segment\nmodel:\n  backbone:\n    type: vit_large_nvdinov2\n';
    assert.equal(network('/x/visual_changenet/spec.yaml', changenet), 'visual_changenet');
    assert.equal(
      network('/x/experiment.yaml', '# clip the gradients; mal function\ntrain:\n  clip: 1\n'),
      undefined,
    );
  });

  it('is made from the text as a last resort', () => {
    assert.equal(network('/x/spec.yaml', 'results_dir: /results/segformer\ntrain: {}\n'), 'segformer');
  });

  it('is none where nothing is known, and no exception, whatever the file is', () => {
    for (const text of [
      '',
      '\0\0\0',
      'not yaml: [',
      randomBytes(100_000).toString('latin1'),
      '{"json": true}',
      '\ufeffmodel_name: dino',
    ]) {
      const guess = guessSpec('/x/y.yaml', text);
      assert.equal(typeof guess.action, 'string');
    }
    assert.equal(network('/x/constructor.yaml', 'model_name: constructor\n'), undefined);
    assert.equal(network('', ''), undefined);
  });

  it('is right for the specs of the demo', () => {
    const specs = globSync('test/demo/**/specs/*.yaml', { cwd: repositoryRoot });
    assert.ok(specs.length > 0);
    for (const spec of specs) {
      const text = readFileSync(path.join(repositoryRoot, spec), 'utf8');
      const said = /^model_name: (\w+)/m.exec(text)?.[1];
      assert.equal(network(spec, text), said, spec);
    }
  });
});

describe('the guess of the action', () => {
  it('comes from the name of the file, or else from its sections, or else is "train"', () => {
    for (const [file, text, expected] of [
      ['/x/segformer_train.yaml', '', 'train'],
      ['/x/segformer_evaluate.yaml', TRAIN, 'evaluate'],
      ['/x/export.yaml', TRAIN, 'export'],
      ['/x/inference-segformer.yml', TRAIN, 'inference'],
      ['/x/segformer.yaml', TRAIN, 'train'],
      ['/x/segformer.yaml', 'evaluate:\n  checkpoint: x\n', 'evaluate'],
      ['/x/segformer.yaml', `${TRAIN}evaluate: {}\nexport: {}\n`, 'train'],
      ['/x/segformer.yaml', '', 'train'],
      ['/train/of/thought/segformer_export.yaml', '', 'export'],
      ['/x/ocdnet_prune.yaml', '', 'prune'],
      ['/x/ocdnet_retrain.yaml', TRAIN, 'retrain'],
      ['/x/constrained_segformer.yaml', 'export:\n', 'export'],
    ] as const) {
      assert.equal(action(file, text), expected, file);
    }
  });

  it('is one that the network knows', () => {
    for (const name of Object.keys(networks)) {
      assert.ok(networks[name]?.includes(action(`/x/${name}.yaml`)), name);
    }
  });
});

it('a huge file costs no more than its beginning', () => {
  const texts = ['train: {}\n', 'x', '_', 'mask_', 'model_name:', ' ', '\n', 'dino '].map((piece) =>
    piece.repeat(300_000),
  );
  // the work of a moment; only this could interrupt a pattern that takes minutes
  runInNewContext(
    'texts.forEach(guess)',
    { texts, guess: (text: string) => guessSpec(text.slice(0, 4_000), text) },
    { timeout: 60_000 },
  );
});
