import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { scene } from './scene.ts';

const SPEC = `model_name: visual_changenet
results_dir: /results
task: classify
model: {}
dataset:
  classify: {}
train:
  num_epochs: 3
  num_gpus: 2
`;
const price = (row: string): number => Number(/\$(\d+\.\d\d)\/h/.exec(row)?.[1]);

describe('A machine that fits a spec', () => {
  const now = scene();
  let file: vscode.Uri;
  let folder: string;

  before(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'brev-fit-')));
    file = vscode.Uri.file(path.join(folder, 'spec.yaml'));
    writeFileSync(file.fsPath, SPEC);
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is one of those that are large enough, cheapest first, with the source of the need; one key shows all', async () => {
    const { screen, calls } = now();
    void vscode.commands.executeCommand('brev.createInstance', file);
    const narrowed = await screen.quickInput(/GPU Type/);
    assert.equal(
      narrowed.placeholder,
      'Only what is large enough for visual_changenet train. Alt+A shows all types',
    );
    assert.match(
      narrowed.rows[0] ?? '',
      /2 GPUs \(by the spec\), 16 GB a GPU \(by TAO's notes on the model\)/,
    );
    const offers = narrowed.rows.filter((row) => /\$\d/.test(row));
    assert.ok(offers.length > 1);
    for (const row of offers) {
      const [, count, gb] = /(\d+) × \S.* (\d+) GB/.exec(row) ?? [];
      assert.ok(Number(count) >= 2 && Number(gb) >= 16, row);
    }
    assert.deepEqual(
      offers.map(price),
      offers.map(price).toSorted((a, b) => a - b),
    );
    await screen.key('Alt+A');
    const all = await screen.until('all types', ({ quickInput }) =>
      quickInput?.rows.some((row) => /^1 × T4/.test(row)) ? quickInput : undefined,
    );
    assert.match(all.placeholder, /^Type to search/);
    await screen.escape();
    await screen.noQuickInput();
    assert.deepEqual(await calls('create'), []);
  });

  it('is looked for with the spec that is being edited', async () => {
    const { access, screen } = now();
    await vscode.window.showTextDocument(file);
    const { open } = await access.parts.specs();
    await screen.until('the spec known', () => open.active !== undefined);
    void vscode.commands.executeCommand('brev.createInstance');
    assert.match(
      (await screen.quickInput(/GPU Type/)).placeholder,
      /large enough for visual_changenet train/,
    );
    await screen.escape();
    await screen.noQuickInput();
  });

  it('can be run by a button above its editor', async () => {
    const { add, screen } = now();
    await add('gpu-1');
    await vscode.window.showTextDocument(file);
    await screen.pressInEditor('Run Spec on Brev Instance…');
    const { rows } = await screen.quickInput(/Run spec.yaml on/);
    assert.match(rows[0] ?? '', /^gpu-1/);
    await screen.escape();
    await screen.noQuickInput();
  });
});
