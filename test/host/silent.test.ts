import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Parts } from '../../src/ui/parts.ts';
import { extension, until } from './extension.ts';
import { Screen } from './screen.ts';
import { startTraining } from './training.ts';

describe('A job that says nothing', () => {
  const set = (minutes: number | undefined) =>
    vscode.workspace
      .getConfiguration('brev')
      .update('jobs.silentMinutes', minutes, vscode.ConfigurationTarget.Global);
  let parts: Parts;
  let screen: Screen;

  before(async () => {
    parts = (await extension()).parts;
    screen = await Screen.open();
    await screen.showAll(true);
    await screen.forgetToasts();
  });
  after(async () => {
    await set(undefined);
    await screen.showAll(false);
  });

  it('users F: ocean-node#1442 is said to be silent, still running and still billing, and has not failed', async function () {
    // a program that hangs is given its time to end when it is cancelled
    this.timeout(120_000);
    await set(0.02);
    const { details } = await startTraining(parts, { instance: 'train-l40s', epochs: 3, scenario: 'hang' });
    await screen.status(/: .*no output for \d+ s, still running, still billing/);
    assert.equal(parts.jobs.find(details.id)?.state, 'RUNNING');
    await vscode.commands.executeCommand('brev.jobs.focus');
    await screen.until('the row', ({ views }) =>
      views.some(({ rows }) =>
        rows.some(({ label, description }) => label === details.id && /no output for/.test(description)),
      ),
    );
    const node = { kind: 'job', id: details.id } as const;
    const { tooltip } = await parts.jobsView.resolveTreeItem(new vscode.TreeItem(details.id), node);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    // its spaces are kept from being collapsed
    assert.match(tooltip.value.replaceAll('&nbsp;', ' '), /no failure: a job that computes/);
    assert.deepEqual(await screen.toasts(), []);
    await parts.jobs.cancel(details.id, new AbortController().signal);
    await until(parts.jobs.onChange, () => parts.jobs.find(details.id)?.state === 'CANCELED' || undefined);
    await screen.until('no silence', ({ statusBar }) =>
      statusBar.every(({ text }) => !/no output/.test(text)),
    );
    await vscode.commands.executeCommand('notifications.clearAll');
  });
});
