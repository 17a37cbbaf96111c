import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { pythonOf } from '../support/pythonEnvironment.ts';
import { extension, until } from './extension.ts';
import { Screen } from './screen.ts';
import { allowPulls } from './training.ts';

const INSTANCE = 'train-l40s';
const setting = () => vscode.workspace.getConfiguration('brev');

describe('The TAO SDK', () => {
  let screen: Screen;
  let folder: string;
  let file: vscode.Uri;

  before(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'brev-sdk-')));
    file = vscode.Uri.file(path.join(folder, 'segformer_train.yaml'));
    writeFileSync(
      file.fsPath,
      'model_name: segformer\nresults_dir: /results\nsim:\n  steps: 2\n  epoch_seconds: 0.1\nmodel: {}\ndataset:\n  segment: {}\ntrain:\n  num_epochs: 2\n',
    );
    screen = await Screen.open();
    await screen.showAll(true);
  });
  after(async () => {
    await setting().update('sdk.python', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('notifications.clearAll');
    await screen.showAll(false);
    rmSync(folder, { recursive: true, force: true });
  });

  const line = async (): Promise<string> => {
    const { parts } = await extension();
    await parts.setupView.run();
    const item = parts.setupView.getTreeItem({ kind: 'check', id: 'taoSdk' });
    return `${item.contextValue}: ${String(item.description)}`;
  };

  it('is installed only after its commands were shown and agreed to', async () => {
    assert.equal(await line(), 'brev.check+fix: Not set up; only jobs through the TAO SDK need it.');
    const installed = vscode.commands.executeCommand('brev.installSdk');
    const { detail } = await screen.dialog(/Install the TAO SDK/);
    assert.match(detail, /python3 -m venv \S+\/sdk\/python/);
    assert.match(detail, /\/bin\/python -m pip install .*nvidia-tao-sdk==7\.2\.0/);
    await screen.press('Cancel');
    assert.equal(await installed, false);
    assert.match(await line(), /Not set up/);
  });

  it('runs a spec from the editor to its end, with its log, when that was chosen in the review', async function () {
    this.timeout(120_000);
    const { parts } = await extension();
    const { jobs } = parts;
    await setting().update('sdk.python', await pythonOf('tao-sdk'), vscode.ConfigurationTarget.Global);
    assert.match(await line(), /^brev\.check: Version 7\.2\.0, on Python 3\./);
    await allowPulls(INSTANCE);
    void vscode.commands.executeCommand('brev.runSpec', file);
    await screen.quickInput(/Run segformer_train.yaml on/);
    await screen.pick(INSTANCE);
    await screen.quickInput(new RegExp(`Run on ${INSTANCE}`));
    await screen.pick('Through');
    await screen.quickInput(/Submit through/);
    await screen.pick('the TAO SDK');
    const review = await screen.quickInput(new RegExp(`Run on ${INSTANCE}`));
    assert.ok(
      review.rows.some((row) => /Through.*the TAO SDK/.test(row)),
      review.rows.join('\n'),
    );
    await screen.accept();
    await screen.pick('Run anyway');
    const job = await until(jobs.onChange, () =>
      jobs.all.find(
        ({ details, state }) =>
          details.platform === 'brev-sdk' && (state === 'COMPLETE' || state === 'ERROR'),
      ),
    );
    const { id } = job.details;
    const log = readFileSync(jobs.logFile(id), 'utf8');
    assert.equal(job.state, 'COMPLETE', `${job.note}\n${log}`);
    assert.match(log, /Epoch/);
    await screen.notification(new RegExp(`${id} on ${INSTANCE}: finished with exit code 0`));
  });
});
