import assert from 'node:assert/strict';
import { chmodSync, statSync } from 'node:fs';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { scene } from './scene.ts';

const SETUP = 'brev.setup';
const INSTANCES = 'brev.instances';

describe('Set-up', () => {
  const now = scene();

  afterEach(async () => {
    for (const view of [INSTANCES, 'brev.jobs']) await now().screen.fold(view, false);
    await now().screen.fold(SETUP, true);
  });

  /** The line of a check, once that came out of it. */
  function line(title: string, sentence: RegExp) {
    return now().screen.until(`${title}: ${sentence}`, ({ views }) =>
      views
        .find(({ id }) => id === 'brev-setup')
        ?.rows.find(
          ({ label, description, icon }) =>
            label === title && sentence.test(description) && icon !== 'loading',
        ),
    );
  }

  it('features 8: a line for each check; a fix shows what it does, runs when it is agreed to, and all is checked again', async () => {
    const { screen, list, writeEnvFile, envFile, calls } = now();
    writeEnvFile('HF_TOKEN=abc\n');
    chmodSync(envFile, 0o644);
    await list();
    await vscode.commands.executeCommand('brev.setup.focus');
    await screen.fold('brev.jobs', true);
    await screen.fold(INSTANCES, true);
    void vscode.commands.executeCommand('brev.runSetupChecks');
    assert.equal((await line('Signed in', /own sign-in/)).icon, 'pass');
    assert.equal((await line('Organisation', /^research\.$/)).icon, 'pass');
    const open = await line('File with keys', /its mode is 644 and should be 600/);
    assert.notEqual(open.icon, 'pass');
    const before = (await calls('ls')).length;
    await screen.menuOf(SETUP, open.label);
    await screen.choose('Fix…');
    const agreed = await screen.dialog();
    assert.ok(agreed.detail.includes(`chmod 0600 ${envFile}`), agreed.detail);
    await screen.press('Cancel');
    await screen.until('no dialog', ({ dialog }) => dialog === null);
    assert.equal(statSync(envFile).mode & 0o777, 0o644);
    await screen.menuOf(SETUP, open.label);
    await screen.choose('Fix…');
    await screen.press((await screen.dialog()).message);
    await screen.until('the check again', ({ views }) =>
      views
        .find(({ id }) => id === 'brev-setup')
        ?.rows.some(({ label, icon }) => label === open.label && icon === 'pass'),
    );
    assert.equal(statSync(envFile).mode & 0o777, 0o600);
    await eventually(async () => (await calls('ls')).length > before);
  });

  it('users F: vscode-containers#541 no CLI: the welcome, the set-up and a command say so, and nothing hangs', async () => {
    const { screen, add, list, access } = now();
    await add('there');
    const settings = vscode.workspace.getConfiguration('brev');
    await settings.update('path', '/nowhere/brev', vscode.ConfigurationTarget.Global);
    try {
      access.parts.store.forget();
      await list();
      const welcome = await screen.until('the welcome', ({ views }) => {
        const shown = views.find(({ id }) => id === 'brev-instances')?.welcome;
        return shown?.text.includes('CLI is not installed') && shown;
      });
      assert.deepEqual(welcome.buttons, ['Install the Brev CLI', 'Choose its path', 'look again']);
      assert.match((await screen.view(INSTANCES)).description, /brev\.path names \/nowhere\/brev/);
      await vscode.commands.executeCommand('brev.setup.focus');
      void vscode.commands.executeCommand('brev.runSetupChecks');
      assert.equal((await line('Brev CLI', /brev\.path names \/nowhere\/brev/)).icon, 'error');
      assert.equal((await line('Signed in', /once there is a usable/)).icon, 'debug-step-over');
      void vscode.commands.executeCommand('brev.signIn');
      await screen.notification(/brev\.path names \/nowhere\/brev/);
    } finally {
      await settings.update('path', undefined, vscode.ConfigurationTarget.Global);
    }
    await screen.pressInView(INSTANCES, 'look again');
    await screen.row('there', /^running ·/);
    assert.equal((await line('Brev CLI', /^Found: /)).icon, 'pass', 'checked again by itself');
  });
});
