import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtInCatalogue } from '../../../../src/tao/catalogue/builtIn.ts';
import { commandWords, findAction, findModel, imageOf } from '../../../../src/tao/catalogue/catalogue.ts';
import { runWords } from '../../../../src/tao/catalogue/runWords.ts';
import { networks } from '../../../../src/tao/networks.ts';

describe('the built-in catalogue', () => {
  it('says what it was taken from', () => {
    assert.deepEqual(builtInCatalogue.source, {
      kind: 'builtIn',
      taoVersion: '7.1.0',
      revision: '49672c2',
      date: '2026-08-20',
    });
  });

  it('has the models with their GPU counts (tao.md part 2, Models)', () => {
    const counts = Object.fromEntries(
      builtInCatalogue.models.map(({ id, gpus }) => [
        id,
        gpus === undefined ? '-' : `${gpus.min}/${gpus.recommended}`,
      ]),
    );
    assert.equal(counts.segformer, '1/2');
    assert.equal(counts.nvdinov2, '4/8');
    assert.equal(counts.visual_changenet, '1/8');
    assert.equal(counts.mae, '2/8');
    assert.equal(counts.dino, '-');
    assert.equal(findModel(builtInCatalogue, 'visual-changenet')?.minVramGb, 16);
    assert.equal(findModel(builtInCatalogue, 'segformer')?.minVramGb, undefined);
  });

  it('is whole: each model trains, writes its results, and has names and images that are there', () => {
    const ids = builtInCatalogue.models.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const model of builtInCatalogue.models) {
      assert.notEqual(findAction(model, 'train'), undefined, model.id);
      for (const action of model.actions) {
        const where = `${model.id} ${action.name}`;
        assert.ok(
          action.outputs.some(({ key }) => key === 'results_dir'),
          where,
        );
        assert.notEqual(commandWords(action, '/x'), undefined, where);
        if (action.imageKey !== undefined)
          assert.match(imageOf(builtInCatalogue, action) ?? '', /^nvcr\.io\//, where);
        for (const { key, type } of [...action.inputs, ...action.outputs]) {
          assert.match(key, /^[a-z][\w.]*$/, where);
          assert.match(type, /^(?:file|folder|list)$/, where);
        }
      }
    }
  });

  it('gives engines the image that makes them', () => {
    const model = findModel(builtInCatalogue, 'classification_pyt') ?? assert.fail();
    const engine = findAction(model, 'gen_trt_engine') ?? assert.fail();
    assert.equal(imageOf(builtInCatalogue, engine), 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-deploy');
    assert.deepEqual(engine.inputs, [{ key: 'gen_trt_engine.onnx_file', type: 'file', isOptional: false }]);
  });
});

describe('the words of a command', () => {
  it('are network and action, or what the program wants instead', () => {
    assert.deepEqual(runWords('segformer', 'train'), ['segformer', 'train']);
    assert.deepEqual(runWords('ocdnet', 'retrain'), ['ocdnet', 'train']);
    assert.deepEqual(runWords('visual-changenet', 'segment_train'), ['visual_changenet', 'train']);
    assert.deepEqual(runWords('depth_net_stereo', 'export'), ['depth_net', 'export']);
    assert.deepEqual(runWords('nvpanoptix3d', 'train').slice(0, 2), ['python', '-m']);
    assert.deepEqual(runWords('mine', 'fly'), ['mine', 'fly']);
    assert.deepEqual(runWords('segformer', 'fly'), ['segformer', 'fly']);
  });

  it('need no shell, or there are none', () => {
    const action = { name: 'x', imageKey: undefined, inputs: [], outputs: [] };
    for (const command of ["bash -lc 'a && b'", 'a $(b)', 'a; b', 'a "b"', 'a {other}', '']) {
      assert.equal(commandWords({ ...action, command }, '/s'), undefined, command);
    }
    assert.deepEqual(commandWords({ ...action, command: 'a  b -e {config_path}' }, '/s p'), [
      'a',
      'b',
      '-e',
      '/s p',
    ]);
  });

  it('begin with a network that can be chosen', () => {
    assert.ok(Object.hasOwn(networks, 'depth_net'));
    assert.ok(!Object.hasOwn(networks, 'depth_net_mono'));
    assert.ok(!networks.visual_changenet?.includes('segment_train'));
    assert.ok(!networks.sparse4d?.includes('dataset_convert'));
  });
});
