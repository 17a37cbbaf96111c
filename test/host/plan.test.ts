import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Parts } from '../../src/ui/parts.ts';
import type { Plans } from '../../src/ui/workflow/createPlans.ts';
import { stateFileOf } from '../../src/workflow/stateFile.ts';
import { cloud, extension, until } from './extension.ts';

const TWO_STEPS = `steps:
- name: first
  platform: brev
  instance: train-l40s
  command: echo one >>"$HOME"/order
- name: second
  platform: brev
  instance: train-l40s
  needs: first
  command: echo two >>"$HOME"/order
`;

describe('A plan in the editor', () => {
  let parts: Parts;
  let plans: Plans;
  let folder: string;

  before(async () => {
    ({ parts } = await extension());
    plans = await parts.plans();
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'brev-plans-')));
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
  const problems = ({ uri }: vscode.TextDocument) =>
    vscode.languages
      .getDiagnostics(uri)
      .filter(({ source }) => source === 'Brev')
      .map(({ message, range }) => `${range.start.line + 1} ${message}`);
  const lenses = async ({ uri }: vscode.TextDocument) =>
    (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri)).flatMap(
      ({ command, range }) =>
        command?.command.startsWith('brev.') ? [`${range.start.line + 1} ${command.title}`] : [],
    );

  it('shows what is wrong at the line while it is typed, and lenses once it is right', async () => {
    const document = await open(
      'typed.brevflow.json',
      '[\n{"name": "a", "platform": "brev", "command": "true", "nodes": 2},\n{"name": "b", "platform": "brev", "command": "true", "needs": "c"}\n]\n',
    );
    await until(plans.open.onChange, () => (problems(document).length > 0 ? true : undefined));
    assert.deepEqual(problems(document), [
      '2 A Brev instance is one machine, so a step on it has one node. Run it on lepton for 2 nodes.',
      '3 b needs c, but there is no such step.',
    ]);
    assert.ok(!(await lenses(document)).some((title) => /Run$/.test(title)));
    const edit = new vscode.WorkspaceEdit();
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    edit.replace(document.uri, all, document.getText().replace(', "nodes": 2', '').replace('"c"', '"a"'));
    await vscode.workspace.applyEdit(edit);
    await until(plans.open.onChange, () => (problems(document).length === 0 ? true : undefined));
    assert.deepEqual(await lenses(document), [
      '1 $(run-all) Run',
      '1 $(type-hierarchy) Graph',
      '2 $(debug-start) Run from here',
      '3 $(debug-start) Run from here',
    ]);
    await document.save();
  });

  it('runs in order, with its states in the lenses, in the graph and beside the file', async () => {
    const document = await open('run.brevflow.yaml', TWO_STEPS);
    const { uri } = document;
    const { reading } = await plans.open.look(uri);
    assert.ok(reading.plan, JSON.stringify(reading.problems));
    await vscode.commands.executeCommand('brev.showPlan', uri);
    assert.deepEqual(
      (await plans.panels.describe(uri))?.steps.map(({ column, name, needs, phase }) => [
        name,
        column,
        needs,
        phase,
      ]),
      [
        ['first', 0, [], 'waiting'],
        ['second', 1, ['first'], 'waiting'],
      ],
    );
    const ended = new Promise((resolve) => {
      const stop = plans.runs.onEnd((end) => {
        stop();
        resolve(end.state.ended);
      });
    });
    const started = await plans.runs.start(uri, reading.plan, { kind: 'anew' });
    assert.equal(started.kind, 'ok');
    assert.equal(
      (await plans.runs.start(uri, reading.plan, { kind: 'anew' })).kind,
      'failed',
      'one at a time',
    );
    await until(plans.open.onChange, () => (plans.open.known(uri)?.isRunning === true ? true : undefined));
    assert.ok((await lenses(document)).includes('1 $(stop-circle) Cancel'));
    assert.equal(await ended, 'complete');
    const shown = await plans.panels.describe(uri);
    assert.deepEqual(
      shown?.steps.map(({ phaseWord }) => phaseWord),
      ['done', 'done'],
    );
    assert.equal(shown?.canResume, false);
    assert.ok(vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === 'run')));
    await until(plans.open.onChange, () => (plans.open.known(uri)?.isRunning === false ? true : undefined));
    assert.ok((await lenses(document)).includes('2 $(pass) done'));
    const { home } = await (await cloud()).instance('train-l40s');
    assert.equal(readFileSync(path.join(home, 'order'), 'utf8'), 'one\ntwo\n');
    const state = JSON.parse(readFileSync(stateFileOf(uri.fsPath), 'utf8'));
    for (const name of ['first', 'second']) {
      const { jobId } = state.steps[name].attempts[0];
      assert.equal(parts.jobs.find(jobId)?.state, 'COMPLETE', jobId);
    }
  });
});
