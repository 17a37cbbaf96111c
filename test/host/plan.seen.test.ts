import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { activePlans, rememberPlan } from '../../src/ui/workflow/activePlans.ts';
import { beginState } from '../../src/workflow/planState.ts';
import { StateFile, stateFileOf } from '../../src/workflow/stateFile.ts';
import { scene } from './scene.ts';

describe('A plan that a person runs', () => {
  const now = scene();
  let folder: string;

  before(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'brev-plan-')));
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

  it('is run as it is in the editor, and another window finds it so: it is saved first', async () => {
    const { screen, add, list } = now();
    await add('gpu1');
    await list();
    const document = await open(
      'dirty.brevflow.yaml',
      'steps:\n- {name: old, platform: brev, instance: gpu1, command: exit 0}\n',
    );
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(1, 9, 1, 12), 'new');
    await vscode.workspace.applyEdit(edit);
    assert.ok(document.isDirty);
    void vscode.commands.executeCommand('brev.runPlan', document.uri);
    const asked = await screen.dialog(/^Run dirty: 1 steps\?$/);
    assert.match(asked.detail, /^new · Brev/);
    assert.match(readFileSync(document.uri.fsPath, 'utf8'), /name: new/);
    await screen.press('Cancel');
    assert.ok(!existsSync(stateFileOf(document.uri.fsPath)), 'nothing was begun');
  });

  it('keeps its graph no wider than its steps, also once it has fewer', async () => {
    const { screen } = now();
    const line = (count: number) =>
      `steps:\n${Array.from(
        { length: count },
        (_, step) =>
          `- {name: s${step}, platform: brev, instance: gpu1, command: exit 0${step === 0 ? '' : `, needs: s${step - 1}`}}\n`,
      ).join('')}`;
    const document = await open('wide.brevflow.yaml', line(8));
    await vscode.commands.executeCommand('brev.showPlan', document.uri);
    await screen.panel('eight steps', ({ table, hiddenPixels }) => table.length === 9 && hiddenPixels > 500);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), line(1));
    await vscode.workspace.applyEdit(edit);
    await screen.panel('one step', ({ table, hiddenPixels }) => table.length === 2 && hiddenPixels === 0);
    await document.save();
  });

  it('that was deleted while no window was open is told once, and then left alone', async () => {
    const { screen, access } = now();
    const { memory } = access.parts;
    const plans = await access.parts.plans();
    const { uri } = await open(
      'gone.brevflow.yaml',
      'steps:\n- {name: one, platform: brev, instance: gpu1, command: exit 0}\n',
    );
    const { plan } = (await plans.open.look(uri)).reading;
    assert.ok(plan !== undefined);
    await new StateFile(stateFileOf(uri.fsPath)).write(beginState(plan, undefined, { kind: 'anew' }, 0));
    await rememberPlan(memory, uri, true);
    rmSync(uri.fsPath);
    await plans.runs.continueAll();
    await screen.notification(/^gone cannot go on: .+\/gone\.brevflow\.yaml is gone\./);
    assert.deepEqual(activePlans(memory), []);
  });
});
