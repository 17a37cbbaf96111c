import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Parts } from '../../src/ui/parts.ts';
import { eventually } from '../support/eventually.ts';
import { extension, until } from './extension.ts';
import { Screen } from './screen.ts';
import { startTraining } from './training.ts';

/** Long enough to be seen while it runs. */
const EPOCHS = 150;

describe('The job panel, as it is seen', () => {
  let parts: Parts;
  let screen: Screen;
  let first: string;
  let second: string;

  const end = (id: string): Promise<true> =>
    until(parts.jobs.onChange, () => (parts.jobs.find(id)?.state === 'COMPLETE' ? true : undefined));

  before(async function () {
    this.timeout(90_000);
    parts = (await extension()).parts;
    screen = await Screen.open();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    second = (await startTraining(parts, { instance: 'train-l40s', epochs: 3 })).details.id;
    await end(second);
    first = (await startTraining(parts, { instance: 'train-l40s', epochs: EPOCHS })).details.id;
    (await parts.panels()).show([first]);
  });
  after(async () => {
    await vscode.workspace
      .getConfiguration('workbench')
      .update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('draws the curves while the run goes on, and how busy its GPU is', async function () {
    this.timeout(60_000);
    await screen.panel('a curve and the GPU', ({ cards, charts }) => {
      const facts = cards[0]?.facts ?? [];
      return (
        charts.some(({ ink }) => ink > 500) &&
        facts.some((fact) => /^GPU use \d+ %, [\d.]+ of 48\.0 GiB, \d+ °C$/.test(fact)) &&
        facts.some((fact) => /^Disk \d+ of \d+ GB free$/.test(fact))
      );
    });
    await end(first);
    const panel = await screen.panel(
      'the end',
      (seen) => /COMPLETE/.test(seen.cards[0]?.title ?? '') && seen,
    );
    assert.deepEqual(panel.cards[0]?.buttons, ['Show Log', 'Open Spec', 'Results', 'Compare…']);
    assert.ok(panel.table.some((row) => /^train_loss_epoch [\d.]+$/.test(row)));
    assert.ok(panel.charts.every(({ label, ink }) => label.length > 5 && ink > 500));
  });

  it('tells the values under the pointer, and hides a curve by its name in the legend', async () => {
    const isLoss = ({ label }: { readonly label: string }): boolean => label.startsWith('Loss');
    await screen.pointInWebview('figure[aria-label^="Loss"] .u-over');
    await screen.panel('values in the legend', ({ charts }) =>
      charts.find(isLoss)?.legend.some(({ text }) => /^train_loss_epoch:? ?[\d.]+$/.test(text)),
    );
    await screen.pressInWebview('figure[aria-label^="Loss"] .u-series:nth-child(2) .u-label');
    await screen.panel('a hidden curve', ({ charts }) => charts.find(isLoss)?.legend[1]?.shown === false);
    await screen.pressInWebview('figure[aria-label^="Loss"] .u-series:nth-child(2) .u-label');
    await screen.panel('the curve again', ({ charts }) => charts.find(isLoss)?.legend[1]?.shown === true);
  });

  it('can be used by the keyboard, and keeps the place when its numbers are renewed', async () => {
    await screen.pressInWebview('h2');
    await screen.key('Tab');
    await screen.panel('the first button', ({ focused }) => focused === `openLog-${first}`);
    await screen.key('Tab');
    await screen.key('Tab');
    await screen.key('Tab');
    await screen.panel('the last button', ({ focused }) => focused === `compare-${first}`);
    await screen.key('Enter');
    const compare = await screen.quickInput(/Compare With/);
    assert.ok(compare.rows.some((row) => row.includes(second)));
    await screen.escape();
    await screen.noQuickInput();
  });

  it('exports its curves as a table', async () => {
    // beside the spec, unless the user says otherwise
    const file = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', `${first}.csv`);
    await screen.pressInWebview('#csv');
    await screen.until('the save dialog', ({ quickInput }) => quickInput?.value === file);
    await screen.accept();
    await eventually(() => existsSync(file) && readFileSync(file).length > 0);
    const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\n');
    assert.equal(head, 'job,curve,axis,x,y');
    const shown = await (await parts.panels()).describe(first);
    assert.deepEqual(
      rows.map((row) => row.split(',')[1]),
      shown?.series.flatMap(({ name, x }) => x.map(() => name)),
    );
    assert.ok(rows.every((row) => row.startsWith(`${first},`)) && rows.length > EPOCHS);
    await screen.noQuickInput();
    rmSync(file);
  });

  it('takes the colours of the theme, and draws again when that changes', async () => {
    const before = await screen.panel('a background', ({ background }) => background);
    await vscode.workspace
      .getConfiguration('workbench')
      .update('colorTheme', 'Default Dark Modern', vscode.ConfigurationTarget.Global);
    await screen.panel(
      'another background',
      ({ background, charts }) => background !== before && charts.every(({ ink }) => ink > 500),
    );
  });

  it('finds its jobs again after it was hidden', async () => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'above it' }), {
      viewColumn: vscode.window.tabGroups.activeTabGroup.viewColumn,
      preview: false,
    });
    (await parts.panels()).show([first]);
    await screen.panel('the curves again', ({ charts }) => charts.some(({ ink }) => ink > 500));
  });

  it('shows two runs over each other, each by its name', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    void vscode.commands.executeCommand('brev.compareJobs', { kind: 'job', id: first }, [
      { kind: 'job', id: first },
      { kind: 'job', id: second },
    ]);
    await eventually(() =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.includes(second))),
    );
    const panel = await screen.panel(
      'both',
      (seen) => seen.cards.length === 2 && seen.charts.length > 0 && seen,
    );
    const loss = panel.charts.find(({ label }) => label.startsWith('Loss'));
    for (const id of [first, second]) {
      assert.ok(
        loss?.legend.some(({ text }) => text.includes(`train_loss_epoch (${id})`)),
        JSON.stringify(loss),
      );
      assert.ok(panel.table.some((row) => row.startsWith(`${id}: train_loss_epoch`)));
    }
  });
});
