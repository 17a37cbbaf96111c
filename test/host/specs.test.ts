import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Specs } from '../../src/ui/specs/createSpecs.ts';
import { extension, until } from './extension.ts';

const DINO = `results_dir: /results
dataset:
  train_data_sources:
    - image_dir: ~/data/coco/train
  num_classes: 91
model:
  use_dn: true
  two_stage_type: standard
train:
  num_gpus: 4
  num_nodes: 2
`;

describe('A TAO spec in the editor', () => {
  let specs: Specs;
  let folder: string;

  before(async () => {
    specs = await (await extension()).parts.specs();
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'brev-specs-')));
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const open = async (name: string, text: string): Promise<vscode.TextDocument> => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    await vscode.window.showTextDocument(document);
    return document;
  };
  const seen = (document: vscode.TextDocument) =>
    until(specs.open.onChange, () => specs.open.known(document.uri));
  const codes = (document: vscode.TextDocument) =>
    vscode.languages
      .getDiagnostics(document.uri)
      .filter(({ source }) => source === 'Brev')
      .map(({ code, range }) => `${range.start.line + 1} ${String(code)}`);
  const lenses = async ({ uri }: vscode.TextDocument) =>
    (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri)).flatMap(
      ({ command }) => (command?.command.startsWith('brev.') ? [command] : []),
    );
  const fix = async (document: vscode.TextDocument, title: string): Promise<void> => {
    const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(0, 0, document.lineCount, 0),
    );
    const action = all.find((each) => each.title === title);
    assert.ok(action?.edit, `${title} among ${all.map((each) => each.title).join(', ')}`);
    assert.ok(await vscode.workspace.applyEdit(action.edit));
  };

  it('is known by its content: lenses run it, change it and find a machine; its problems stand at their lines', async () => {
    const document = await open('anything.yaml', DINO);
    await seen(document);
    const commands = await lenses(document);
    assert.deepEqual(
      commands.map(({ command, title }) => `${command} ${title}`),
      [
        'brev.runSpec $(rocket) Run on Brev: dino train',
        'brev.changeRun $(settings-gear) Change…',
        'brev.createInstance $(vm) Needs 4 GPUs: find a machine…',
      ],
    );
    assert.ok(commands.every(({ tooltip }) => tooltip !== undefined && tooltip.length > 20));
    assert.ok(codes(document).includes('4 pathNowhere'), codes(document).join('\n'));
    assert.ok(codes(document).includes('11 multiNode'), codes(document).join('\n'));
  });

  it('is cured by its quick fixes, and goes without problems when it is closed', async () => {
    const document = await open('fixed.yaml', DINO);
    await seen(document);
    await fix(document, 'Use /data/coco/train');
    await fix(document, 'Use 1');
    assert.match(document.getText(), /image_dir: \/data\/coco\/train\n/);
    assert.match(document.getText(), /num_nodes: 1\n/);
    await until(specs.open.onChange, () =>
      codes(document).some((code) => /pathNowhere|multiNode/.test(code)) ? undefined : true,
    );
    await document.save();
    const { uri } = document;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until(specs.open.onChange, () => (specs.open.known(uri) === undefined ? true : undefined));
    assert.deepEqual(codes(document), []);
  });

  it('stays one while it is being typed, with the fault at its line', async () => {
    const document = await open('typing.yaml', DINO);
    await seen(document);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(5, 0), '\tmore: [\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until(specs.open.onChange, () => (codes(document).includes('6 unreadable') ? true : undefined));
    assert.equal((await lenses(document)).length, 3);
    await document.save();
  });

  it('takes what the user has chosen for this file, also after it was closed', async () => {
    const document = await open('chosen.yaml', DINO);
    await seen(document);
    await specs.choices.change(document.uri, { network: 'deformable_detr' });
    await until(specs.open.onChange, () =>
      specs.open.known(document.uri)?.network === 'deformable_detr' ? true : undefined,
    );
    const [run] = await lenses(document);
    assert.equal(run?.title, '$(rocket) Run on Brev: deformable_detr train');
    assert.equal(specs.choices.of(document.uri).network, 'deformable_detr');
  });

  it('has no problems shown where the user does not want them', async () => {
    const configuration = vscode.workspace.getConfiguration('brev');
    await configuration.update('specs.diagnostics', false, vscode.ConfigurationTarget.Global);
    try {
      const document = await open('quiet.yaml', DINO);
      await seen(document);
      assert.deepEqual(codes(document), []);
      assert.equal((await lenses(document)).length, 3);
    } finally {
      await configuration.update('specs.diagnostics', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('is nothing else: other YAML files get neither lens nor problem', async () => {
    const pod = await open('pod.yaml', 'kind: Pod\nspec:\n  containers: [{ name: train, image: ~/x }]\n');
    const odd = await open('odd.yaml', 'a: [\n\tb: *c\n');
    // a spec that is opened after them has been looked at: so have they
    await seen(await open('after.yaml', DINO));
    for (const document of [pod, odd]) {
      assert.deepEqual(codes(document), []);
      assert.deepEqual(await lenses(document), []);
    }
  });
});
