import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { cloud, extension, until } from './extension.ts';

describe('The same run, after the window was reloaded', () => {
  it('is followed again to its end, and the local log is the remote one, byte for byte', async () => {
    const { parts } = await extension();
    const job = await until(parts.jobs.onChange, () =>
      parts.jobs.all.find(({ details }) => details.network === 'segformer'),
    );
    assert.notEqual(job.state, 'COMPLETE', 'the run was to outlive the reload');
    const { id } = job.details;
    await until(parts.jobs.onChange, () => (parts.jobs.find(id)?.state === 'COMPLETE' ? true : undefined));
    const { home, machine } = await (await cloud()).instance('train-l40s');
    const local = readFileSync(parts.jobs.logFile(id));
    const remote = readFileSync(path.join(home, '.brev-jobs', id, 'log'));
    assert.ok(local.length > 10_000, `the log has ${local.length} bytes`);
    assert.ok(local.equals(remote), 'the local log is the remote one');
    assert.match(local.toString('utf8'), /Execution status: PASS/);
    assert.equal(readdirSync(path.join(machine, 'docker/containers')).length, 1, 'one container ran');
  });
});

describe('The same plan, after the window was reloaded', () => {
  it('goes on by itself, and runs each step once', async () => {
    const { parts } = await extension();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const uri = vscode.Uri.file(path.join(folder, 'reload.brevflow.yaml'));
    const { runs } = await parts.plans();
    await until(runs.onChange, () => runs.running(uri));
    writeFileSync(path.join(folder, 'go-on'), '');
    const ended = await new Promise<string | undefined>((resolve) => {
      runs.onEnd(({ state }) => resolve(state.ended));
    });
    assert.equal(ended, 'complete');
    assert.equal(readFileSync(path.join(folder, 'ran'), 'utf8'), 'long\nafter\n');
  });
});

describe('What was remembered, after the window was reloaded', () => {
  it('users G: vscode-containers#382 is how the jobs are grouped', async () => {
    const { parts } = await extension();
    const groups = parts.jobsView.getChildren().map(({ id }) => id);
    assert.ok(groups.includes('COMPLETE'), groups.join());
  });

  it('users E: clearml-session#37 is since when an instance is on: a reload is no new beginning', async () => {
    const { parts } = await extension();
    await parts.store.refresh();
    const seenOn = parts.memory.get<Record<string, number>>('instances.seenOn') ?? {};
    assert.deepEqual(Object.values(seenOn), parts.memory.get('test.seenOn'));
  });
});
