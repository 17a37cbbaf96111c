import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { extension, until } from './extension.ts';
import { startTraining } from './training.ts';

describe('A plan, before the window is reloaded', () => {
  it('begins', async () => {
    const { parts } = await extension();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const file = path.join(folder, 'reload.brevflow.yaml');
    const step = { platform: 'brev', instance: 'train-l40s' };
    writeFileSync(
      file,
      JSON.stringify([
        {
          ...step,
          name: 'long',
          command: `until [ -e ${folder}/go-on ]; do sleep 0.2; done; echo long >>${folder}/ran`,
        },
        { ...step, name: 'after', needs: 'long', command: `echo after >>${folder}/ran` },
      ]),
    );
    const { open, runs } = await parts.plans();
    const uri = vscode.Uri.file(file);
    const { reading } = await open.look(uri);
    assert.ok(reading.plan, JSON.stringify(reading.problems));
    assert.equal((await runs.start(uri, reading.plan, { kind: 'anew' })).kind, 'ok');
    await until(parts.jobs.onChange, () =>
      parts.jobs.all.find(({ details, state }) => details.id.startsWith('long-') && state === 'RUNNING'),
    );
  });
});

describe('What is remembered, before the window is reloaded', () => {
  it('is how the jobs are grouped, and since when an instance is on', async () => {
    const { parts } = await extension();
    await parts.store.refresh();
    await vscode.commands.executeCommand('brev.groupJobs');
    const seenOn = parts.memory.get<Record<string, number>>('instances.seenOn') ?? {};
    await parts.memory.update('test.seenOn', Object.values(seenOn));
    assert.equal(Object.keys(seenOn).length, 1, 'one of the two is on');
  });
});

describe('A run, before the window is reloaded', () => {
  it('starts and its log arrives', async () => {
    const { parts } = await extension();
    // the last thing, and long enough to be in its middle when the window goes away
    const job = await startTraining(parts, { instance: 'train-l40s', epochs: 400 });
    const running = await until(parts.jobs.onChange, () => {
      const now = parts.jobs.find(job.details.id);
      return now?.state === 'RUNNING' ? now : undefined;
    });
    assert.equal(running.trouble, undefined);
  });
});
