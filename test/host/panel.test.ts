import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { extension, until } from './extension.ts';
import { startTraining } from './training.ts';

describe('The job panel', () => {
  it('shows the numbers of a run: state, epochs, a loss that falls, and what the machine cost', async () => {
    const { parts } = await extension();
    await parts.offers.load();
    const job = await startTraining(parts, { instance: 'train-l40s', epochs: 8 });
    const { id } = job.details;
    await vscode.commands.executeCommand('brev.showJobPanel', { kind: 'job', id });
    await until(parts.jobs.onChange, () => (parts.jobs.find(id)?.state === 'COMPLETE' ? true : undefined));
    const shown = await (await parts.panels()).describe(id);
    assert.ok(shown);
    assert.equal(shown.state, 'COMPLETE');
    assert.equal(shown.progress, 1);
    assert.equal(shown.problem, undefined);
    const loss = shown.series.find(({ name }) => name === 'train_loss_epoch');
    assert.ok(loss, `a curve of the loss among ${shown.series.map(({ name }) => name).join(', ')}`);
    assert.equal(loss.x.length, 8);
    assert.ok((loss.y.at(-1) ?? Number.NaN) < (loss.y[0] ?? Number.NaN), `it falls: ${loss.y.join(' ')}`);
    assert.ok(loss.x.every((x, index) => index === 0 || x > (loss.x[index - 1] ?? Number.NaN)));
    const cost = shown.facts.find(({ value }) => /^(?:< )?\$\d+\.\d\d$/.test(value));
    assert.ok(cost, JSON.stringify(shown.facts));
    assert.ok(vscode.window.tabGroups.all.some((group) => group.tabs.some((tab) => tab.label === id)));
  });
});
