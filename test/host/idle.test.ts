import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Parts } from '../../src/ui/parts.ts';
import { cloud, extension, until } from './extension.ts';
import { Screen } from './screen.ts';
import { startTraining } from './training.ts';

const MINUTE = 60_000;
const NAME = 'train-l40s';
const IDLE = /^train-l40s has been idle/;

describe('An instance on which nothing runs any more', () => {
  const realNow = Date.now;
  const configuration = () => vscode.workspace.getConfiguration('brev');
  let parts: Parts;
  let screen: Screen;
  let minutes = 20;

  before(async () => {
    parts = (await extension()).parts;
    screen = await Screen.open();
    await screen.showAll(true);
    await screen.forgetToasts();
  });
  afterEach(async () => {
    Date.now = realNow;
    await vscode.commands.executeCommand('notifications.clearAll');
  });
  after(async () => {
    await configuration().update('idleReminderMinutes', 0, vscode.ConfigurationTarget.Global);
    await screen.showAll(false);
  });

  async function runJob(): Promise<void> {
    const { details } = await startTraining(parts, { instance: NAME, epochs: 1 });
    await until(parts.jobs.onChange, () => parts.jobs.find(details.id)?.state === 'COMPLETE' || undefined);
  }

  /** Lets time pass, and the extension look what is due: that comes of itself only with real time. */
  async function pass(ms: number): Promise<void> {
    const earlier = Date.now;
    Date.now = () => earlier() + ms;
    minutes -= 0.5;
    await configuration().update('idleReminderMinutes', minutes, vscode.ConfigurationTarget.Global);
  }

  const asked = async () => (await screen.toasts()).filter((text) => IDLE.test(text)).length;

  it('users E: clearml-session#37/dstack#2268 is asked about once, with its cost, and kept', async () => {
    await runJob();
    await pass(21 * MINUTE);
    const told = await screen.notification(IDLE);
    assert.match(told.text, /idle for 2[12] min and costs \$2\.23\/h \(about \$0\.[78]\d since then\)\.$/);
    assert.deepEqual(told.buttons, ['Stop…', 'Delete…', 'Keep']);
    await screen.press('Keep');
    await pass(120 * MINUTE);
    await parts.store.refresh();
    assert.equal(await asked(), 1);
  });

  it('is asked about again after another job, unless a terminal is open on it', async () => {
    await screen.forgetToasts();
    await runJob();
    await vscode.commands.executeCommand('brev.openShell', {
      kind: 'instance',
      id: parts.store.instances.find(({ name }) => name === NAME)?.id,
    });
    const terminal = vscode.window.terminals.find(({ name }) => name === NAME);
    assert.ok(terminal);
    await pass(21 * MINUTE);
    await parts.store.refresh();
    const closed = new Promise((resolve) => vscode.window.onDidCloseTerminal(resolve));
    terminal.dispose();
    await closed;
    await pass(10 * MINUTE);
    await parts.store.refresh();
    assert.equal(await asked(), 0);
    await pass(11 * MINUTE);
    await screen.notification(IDLE);
    await screen.press('Stop…');
    const question = await screen.dialog(/^Stop train-l40s\?/);
    assert.ok(question.buttons.includes('Cancel'));
    await screen.press('Cancel');
    const { status } = await (await cloud()).instance(NAME);
    assert.equal(status, 'RUNNING');
  });
});
