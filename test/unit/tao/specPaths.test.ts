import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { specPaths } from '../../../src/tao/specPaths.ts';
import { readSpec, type SpecScalar } from '../../../src/tao/specScalars.ts';

async function scalarsOf(text: string): Promise<readonly SpecScalar[]> {
  const reading = await readSpec(text);
  if (reading.kind !== 'read') throw new Error(`not read: ${JSON.stringify(reading)}`);
  return reading.scalars;
}

async function pathsIn(text: string, action = 'train'): Promise<readonly string[]> {
  return specPaths(await scalarsOf(text), action).paths.map(
    ({ value, kind, role, needed }) => `${kind} ${role}${needed ? '' : '?'} ${value}`,
  );
}

/** `@{…}` stands for OmegaConf's references, which look like a template of this language. */
const withReferences = (text: string): string => text.replaceAll('@{', '${');

describe('specPaths', () => {
  it('tells paths from names, addresses and the rest', async () => {
    const text = [
      'a: /data/x',
      'b: s3://bkt/y',
      'c: S3://bkt/y',
      'd: ~/data',
      'e: C:\\data\\x',
      'f: $HOME/data',
      'name: segformer',
      'relative: data/x.csv',
      'address: https://example.com/data',
      'bare: //example.com/data',
      'file: file:///data/x',
      'root: /',
      'class: /m/01g317',
      'mail: a/b',
      'scheme: C://x',
      'text: "/data/a\\n/data/b"',
      'block: |',
      '  /data/z',
    ].join('\n');
    assert.deepEqual(await pathsIn(text), [
      'absolute input /data/x',
      's3 input s3://bkt/y',
      's3 input S3://bkt/y',
      'foreign input ~/data',
      'foreign input C:\\data\\x',
      'foreign input $HOME/data',
    ]);
  });

  it('says where a path stands', async () => {
    assert.deepEqual(specPaths(await scalarsOf('a:\n  b:\n    - /data/x'), 'train').paths, [
      {
        value: '/data/x',
        keyPath: ['a', 'b', '0'],
        line: 3,
        kind: 'absolute',
        role: 'input',
        needed: true,
      },
    ]);
  });

  it('knows outputs by their keys', async () => {
    const outputs = [
      'results_dir',
      'result_dir',
      'output_dir',
      'log_dir',
      'cache_dir',
      'cal_cache_file',
      'logs',
    ];
    for (const key of outputs) assert.deepEqual(await pathsIn(`${key}: /x`), ['absolute output /x'], key);
    for (const key of [
      'root_dir',
      'input_dir',
      'pretrained_model_path',
      'catalog_dir',
      'resultant',
      'outlook',
    ])
      assert.deepEqual(await pathsIn(`${key}: /x`), ['absolute input /x'], key);
    const engine =
      'export: {onnx_file: /a.onnx}\ngen_trt_engine: {onnx_file: /a.onnx, trt_engine: /a.engine}';
    assert.deepEqual(await pathsIn(engine, 'gen_trt_engine'), [
      'absolute output? /a.onnx',
      'absolute input /a.onnx',
      'absolute output /a.engine',
    ]);
  });

  it('knows what the action does not read', async () => {
    const text = [
      'dataset:',
      '  train_data_sources: [{image_dir: /data/train}]',
      '  val_data_sources: {image_dir: /data/val}',
      '  test_data_sources: {image_dir: /data/test}',
      'train: {resume_training_checkpoint_path: /data/resume.pth}',
      'evaluate: {checkpoint: /results/model.pth}',
    ].join('\n');
    assert.deepEqual(await pathsIn(text, 'train'), [
      'absolute input /data/train',
      'absolute input /data/val',
      'absolute input? /data/test',
      'absolute input /data/resume.pth',
      'absolute input? /results/model.pth',
    ]);
    assert.deepEqual(await pathsIn(text, 'evaluate'), [
      'absolute input? /data/train',
      'absolute input? /data/val',
      'absolute input /data/test',
      'absolute input? /data/resume.pth',
      'absolute input /results/model.pth',
    ]);
    assert.deepEqual(await pathsIn('train: {x: /a}', 'retrain'), ['absolute input /a']);
  });

  it('puts references within the spec in', async () => {
    const text = [
      'root: /data/coco',
      'base: @{root}',
      'dataset:',
      '  name: cars',
      '  a: @{base}/images',
      '  b: @{.a}/train',
      '  c: @{..root}/x',
      '  d: s3://bkt/@{dataset.name}/@{ root }',
      '  list: [/one, "@{dataset.list.0}/two", "@{dataset.list[0]}/three"]',
    ].join('\n');
    assert.deepEqual(await pathsIn(withReferences(text)), [
      'absolute input /data/coco',
      'absolute input /data/coco',
      'absolute input /data/coco/images',
      'absolute input /data/coco/images/train',
      'absolute input /data/coco/x',
      's3 input s3://bkt/cars//data/coco',
      'absolute input /one',
      'absolute input /one/two',
      'absolute input /one/three',
    ]);
  });

  it('names what only the run knows, and ends where references do not', async () => {
    const text = [
      'a: @{oc.env:DATA}/x',
      'b: /data/@{missing}',
      'c: @{c}/x',
      'd: @{e}/x',
      'e: @{d}/y',
      'name: @{missing}',
      'f0: /0123456789',
      ...Array.from({ length: 30 }, (_, index) => `f${index + 1}: @{f${index}}@{f${index}}`),
    ].join('\n');
    const { paths, unresolved } = specPaths(await scalarsOf(withReferences(text)), 'train');
    assert.deepEqual(
      unresolved.map(({ line, value }) => `${line} ${value}`.replaceAll('${', '@{')),
      ['1 @{oc.env:DATA}/x', '2 /data/@{missing}', '3 @{c}/x', '4 @{e}/x', '5 @{d}/y'],
    );
    assert.ok(paths.length > 1 && paths.every(({ value }) => value.length <= 2048));
  });
});
