import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lookAtSpec, type SpecText } from '../../../src/preflight/specLook.ts';
import { builtInCatalogue } from '../../../src/tao/catalogue/builtIn.ts';
import { inEnglish } from '../../../src/values/message.ts';

const DINO = `# my run
results_dir: /results
dataset:
  train_data_sources:
    - image_dir: ~/data/coco/train
      json_file: /data/coco/train.json
  num_classes: 91
model:
  use_dn: true
  two_stage_type: standard
train:
  num_gpus: 4
  num_epochs: 12
`;
const look = (text: string, more: Partial<SpecText> = {}) =>
  lookAtSpec({
    text,
    path: 'specs/a.yaml',
    wasSpec: false,
    chosen: {},
    catalogue: builtInCatalogue,
    gpus: undefined,
    ...more,
  });

describe('the look at a spec', () => {
  it('tells model, action, need and what is wrong, each at its place', async () => {
    const seen = await look(DINO);
    assert.deepEqual([seen?.network, seen?.action, seen?.line], ['dino', 'train', 2]);
    assert.deepEqual([seen?.fit.gpus, seen?.fit.gpusFrom], [4, 'spec']);
    const [problem] = seen?.problems.filter(({ code }) => code === 'pathNowhere') ?? [];
    assert.equal(problem?.place.line, 5);
    assert.deepEqual(problem?.fix, { kind: 'replace', text: '/data/coco/train' });
  });

  it('takes what the user has chosen for what it is', async () => {
    const seen = await look(DINO, { chosen: { network: 'rtdetr', action: 'evaluate' } });
    assert.deepEqual([seen?.network, seen?.action, seen?.confidence], ['rtdetr', 'evaluate', 'chosen']);
  });

  it('holds the GPUs of the machine that it ran on against those that it asks for', async () => {
    const few = await look(DINO, { gpus: { name: 'small', count: 2 } });
    const problem = few?.problems.find(({ code }) => code === 'tooManyGpus');
    assert.deepEqual([problem?.place.line, problem?.fix], [12, { kind: 'replace', text: '2' }]);
  });

  it('is silent about everything that is no spec', async () => {
    const others = [
      '',
      'hello',
      'services:\n  web:\n    image: nginx\n    model: x\n',
      'apiVersion: v1\nkind: Pod\nspec:\n  containers: [{name: train, image: x}]\n',
      'model: gpt\ndataset: mine\n',
      '\u0000\u0001\u0002',
      `- &a [x]\n- *a\n`,
      'x'.repeat(5_000_000),
    ];
    for (const text of others) {
      assert.equal(await look(text), undefined, text.slice(0, 40));
    }
  });

  const broken: readonly (readonly [string, string, RegExp, number])[] = [
    ['a tab', DINO.replace('  num_gpus', '\tnum_gpus'), /tab/, 12],
    ['a key given twice', `${DINO}  num_gpus: 2\n`, /num_gpus twice/, 14],
    ['a bracket left open', DINO.replace('/results', '[/results'), /not valid YAML/, 3],
  ];
  for (const [what, text, words, line] of broken) {
    it(`says where it is no YAML: ${what}`, async () => {
      const seen = await look(text);
      const [problem] = seen?.problems ?? [];
      assert.ok(problem);
      assert.match(inEnglish(problem.message), words);
      assert.equal(problem.place.line, line);
    });
  }

  it('goes on being a spec while a line is being typed, and ends being one with its keys', async () => {
    const typed = 'results_dir: /results\nmodel: {\ntrain:\n';
    assert.equal(await look(typed), undefined);
    assert.notEqual(await look(typed, { wasSpec: true }), undefined);
    assert.equal(await look('notes: {', { wasSpec: true }), undefined);
  });

  it('says that a huge one was not looked at, and at once', async () => {
    const seen = await look(DINO + '# x\n'.repeat(200_000));
    assert.deepEqual(
      seen?.problems.map(({ code }) => code),
      ['tooLarge'],
    );
  });

  it('is not held up by aliases that multiply', async () => {
    const bomb = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]'];
    for (let index = 1; index < 10; index++) {
      bomb.push(`a${index}: &a${index} [${Array.from({ length: 10 }, () => `*a${index - 1}`).join(',')}]`);
    }
    const seen = await look(`${DINO}${bomb.join('\n')}\n`);
    assert.ok(seen?.problems.some(({ code }) => code === 'aliasesGrow'));
  });

  it('offers what a BOM, Windows line ends, tabs and a missing results_dir need', async () => {
    const windows = await look(`\ufeff${DINO.replaceAll('\n', '\r\n')}`);
    assert.deepEqual(
      windows?.problems.filter(({ code }) => code === 'foreignBytes').map(({ fix }) => fix?.kind),
      [undefined, 'unixLineEnds'],
    );
    const tabs = await look(DINO.replace('  num_gpus', '\tnum_gpus'));
    assert.ok(tabs?.problems.some(({ fix }) => fix?.kind === 'spacesForTabs'));
    const lost = await look(DINO.replace('results_dir: /results\n', ''));
    assert.deepEqual(lost?.problems.find(({ code }) => code === 'noResultsDir')?.fix, {
      kind: 'insertAtTop',
      text: 'results_dir: /results',
    });
    const nodes = await look(DINO.replace('num_gpus: 4', 'num_nodes: 2'));
    const problem = nodes?.problems.find(({ code }) => code === 'multiNode');
    assert.deepEqual([problem?.action, problem?.fix], ['openLeptonPage', { kind: 'replace', text: '1' }]);
  });
});
