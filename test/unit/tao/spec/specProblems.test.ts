import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtInCatalogue } from '../../../../src/tao/catalogue/builtIn.ts';
import type { ContainerMount } from '../../../../src/tao/spec/containerMounts.ts';
import { parseSpec } from '../../../../src/tao/spec/specDocument.ts';
import type { SpecProblem } from '../../../../src/tao/spec/specProblem.ts';
import { type SpecContext, specProblems } from '../../../../src/tao/spec/specProblems.ts';
import { inEnglish } from '../../../../src/values/message.ts';

/** As the jobs of the extension have them. */
const MOUNTS: readonly ContainerMount[] = [
  { containerPath: '/data', from: 'home', readOnly: false },
  { containerPath: '/job/spec.yaml', from: 'job', readOnly: true },
  { containerPath: '/results', from: 'job', readOnly: false },
];

async function problemsOf(
  text: string | Uint8Array,
  context: Partial<SpecContext> = {},
): Promise<readonly SpecProblem[]> {
  return specProblems(await parseSpec(text), {
    model: 'segformer',
    action: 'train',
    catalogue: builtInCatalogue,
    mounts: MOUNTS,
    ...context,
  });
}

async function shown(text: string, context: Partial<SpecContext> = {}): Promise<readonly string[]> {
  return (await problemsOf(text, context)).map(
    ({ code, severity, place }) => `${place.line}:${place.column}+${place.length} ${severity} ${code}`,
  );
}

const GOOD =
  'results_dir: /results\ntrain:\n  num_gpus: 2\ndataset:\n  segment:\n    root_dir: /data/scenes\n';
const RESULTS = 'results_dir: /results\n';

describe('the problems of a spec', () => {
  it('are none where all is well', async () => {
    assert.deepEqual(await shown(GOOD), []);
    assert.deepEqual(await shown(GOOD, { gpus: { name: 'gpu1', count: 2 } }), []);
    assert.deepEqual(await shown(`${RESULTS}model: {weights: /usr/share/x.pth}\n`), []);
    assert.deepEqual(await shown(`${RESULTS}dataset: {root: s3://bucket/data}\n`), []);
  });

  it('paths that nothing provides, at the path', async () => {
    assert.deepEqual(
      await shown(
        `${RESULTS}dataset:\n  a: /datasets/x\n  b: ~/data\n  c: C:\\data\n  d: ./data/x\n  test_dir: /datasets/y\n`,
      ),
      [
        '3:6+11 error pathNowhere',
        '4:6+6 error pathNowhere',
        '5:6+7 error pathNowhere',
        '6:6+8 warning pathNowhere',
        '7:13+11 information pathNowhere',
      ],
    );
    const [problem] = await problemsOf(`${RESULTS}dataset: {a: /datasets/x}\n`);
    assert.equal(
      problem === undefined ? '' : inEnglish(problem.message),
      'Nothing of the instance is to be seen under /datasets/x in the container. What is there stands under /data, /results.',
    );
  });

  it('but not those that an upload provides, nor names that only begin alike', async () => {
    const text = `${RESULTS}dataset: {a: /datasets/x/y, b: /database, c: /datasets/x-2}\n`;
    assert.deepEqual(await shown(text, { uploads: ['/datasets/x'] }), [
      '2:32+9 error pathNowhere',
      '2:46+13 error pathNowhere',
    ]);
  });

  it('what would be empty when the job begins', async () => {
    const text = `${RESULTS}evaluate:\n  checkpoint: "@{results_dir}/train/x.pth"\n`.replace('@', '$');
    assert.deepEqual(await shown(text, { action: 'evaluate' }), ['3:15+28 warning pathEmpty']);
    assert.deepEqual(await shown(text), [], 'a training writes it');
  });

  it('results that would be lost, and none at all', async () => {
    assert.deepEqual(await shown('results_dir: /workspace/out\n'), ['1:14+14 error resultsLost']);
    assert.deepEqual(await shown('results_dir: ~/out\n'), ['1:14+5 error resultsLost']);
    assert.deepEqual(await shown('results_dir: /job/spec.yaml\n'), ['1:14+14 error resultsLost']);
    assert.deepEqual(await shown('a: 1\n'), ['1:1+1 warning noResultsDir']);
    assert.deepEqual(await shown("b: 1\nresults_dir: ''\n"), ['2:1+11 warning noResultsDir']);
    assert.deepEqual(await shown("results_dir: ''\ntrain: {results_dir: /results/train}\n"), []);
    assert.deepEqual(
      await shown(`${RESULTS}export: {onnx_file: /workspace/x.onnx}\n`),
      [],
      'of another action',
    );
    assert.deepEqual(
      await shown(`${RESULTS}export: {onnx_file: /workspace/x.onnx}\n`, { action: 'export' }),
      ['2:21+17 warning resultsLost'],
    );
  });

  it('values that are still to be given', async () => {
    assert.deepEqual(
      await shown(
        'results_dir: ???\ndataset:\n  segment: {root_dir: ""}\n  other: ???\nevaluate: {checkpoint: ???}\n',
      ),
      ['1:14+3 error noValue', '3:23+2 error noValue', '4:10+3 warning noValue'],
    );
    assert.deepEqual(await shown(`${RESULTS}dataset:\n  segment:\n    root_dir:\n`), ['4:5+8 error noValue']);
  });

  it('more GPUs than there are, fewer than are paid for, and none that can be', async () => {
    const gpus = (count: number | string, context: Partial<SpecContext> = {}) =>
      shown(`${RESULTS}train: {num_gpus: ${count}}\n`, context);
    const atHand = { gpus: { name: 'gpu1', count: 4 } };
    assert.deepEqual(await gpus(4, atHand), []);
    assert.deepEqual(await gpus(-1, atHand), []);
    assert.deepEqual(await gpus(8), []);
    assert.deepEqual(await gpus(8, atHand), ['2:19+1 error tooManyGpus']);
    assert.deepEqual(await gpus(1, atHand), ['2:19+1 information idleGpus']);
    assert.deepEqual(await gpus(16), ['2:19+2 error tooManyGpus']);
    assert.deepEqual(await gpus(0), ['2:19+1 error badGpuCount']);
    assert.deepEqual(await gpus(2, { ...atHand, action: 'evaluate' }), [], 'of another action');
    assert.deepEqual(await shown(`${RESULTS}train: {gpu_ids: [0, 5]}\n`, atHand), [
      '2:18+6 error tooManyGpus',
    ]);
    const [problem] = await problemsOf(`${RESULTS}train: {num_gpus: 8}\n`, atHand);
    assert.deepEqual(
      [problem?.action, problem === undefined ? '' : inEnglish(problem.message)],
      ['pickOffer', 'The spec asks for 8 GPUs, and gpu1 has 4.'],
    );
  });

  it('several nodes, with the way to Lepton', async () => {
    const [problem, ...others] = await problemsOf(`${RESULTS}train:\n  num_nodes: 2\n`);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [problem?.code, problem?.severity, problem?.action, problem?.place],
      ['multiNode', 'error', 'openLeptonPage', { line: 3, column: 14, length: 1 }],
    );
    assert.deepEqual(await shown(`${RESULTS}train: {num_nodes: 1}\n`), []);
  });

  it('a model or an action that nobody knows', async () => {
    assert.deepEqual(await shown(RESULTS, { model: undefined }), ['1:1+1 information unknownModel']);
    assert.deepEqual(await shown(RESULTS, { model: 'my_net' }), ['1:1+1 warning unknownModel']);
    assert.deepEqual(await shown(RESULTS, { action: 'prune' }), ['1:1+1 warning unknownAction']);
  });

  it('what makes it unreadable, huge, or without an end', async () => {
    assert.deepEqual(await shown('a: 1\n\tb: 2\n'), ['2:1+1 error unreadable']);
    assert.deepEqual(await shown(`${RESULTS}a: 1\na: 2\n`), ['3:1+1 error unreadable']);
    assert.deepEqual(await shown('x'.repeat(300_000)), ['1:1+1 warning tooLarge']);
    assert.deepEqual((await problemsOf(Uint8Array.of(0xff)))[0]?.place, { line: 1, column: 1, length: 1 });
    assert.deepEqual(await shown(`\ufeff${RESULTS}`), ['1:1+1 information foreignBytes']);
    assert.deepEqual(await shown(`${RESULTS}a: &a {b: *a}\n`), ['2:11+2 error aliasesGrow']);
    const many = `${RESULTS}dataset:\n${Array.from({ length: 500 }, (_, index) => `  k${index}: /nowhere\n`).join('')}`;
    assert.equal((await problemsOf(many)).length, 200);
  });
});
