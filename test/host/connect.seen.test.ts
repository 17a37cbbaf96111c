import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { isAlive } from '../support/processes.ts';
import { scene } from './scene.ts';

const VIEW = 'brev.instances';
const L40S = 'g6e.xlarge';
const MINUTE = 60_000;

describe('Reaching an instance', () => {
  const now = scene();

  async function choose(label: string, entry: string): Promise<void> {
    await now().screen.menuOf(VIEW, label);
    await now().screen.choose(entry);
  }

  it('users C: TAO skill RUNNING comes before sshd: it is asked again until a command runs', async () => {
    const { screen, add, list, calls, sim } = now();
    await add('early', { type: L40S, ssh: 'refused' });
    await list();
    await choose('early', 'Check Whether It Is Ready');
    await screen.status(/early: running, probe 2/);
    await screen.row('early', /^running, not ready yet ·/);
    await sim.update('early', { ssh: 'ok' });
    await screen.row('early', /^ready ·/);
    await screen.notification(/^early is ready/);
    const execs = await calls('exec');
    assert.ok(execs.length >= 2);
    assert.match(execs[0] ?? '', /^exec early \S+ \S+$/);
  });

  it('users C: #436 a probe that hangs ends with the instance, and its process too', async () => {
    const { screen, add, list, fullCalls, faults, sim } = now();
    await add('hanging', { type: L40S });
    await list();
    await faults({ kind: 'hang', command: 'exec', spinner: 'waiting' });
    await choose('hanging', 'Check Whether It Is Ready');
    await eventually(async () => (await fullCalls('exec')).length === 1);
    const [call] = await fullCalls('exec');
    assert.ok(call !== undefined && isAlive(call.pid));
    await choose('hanging', 'Delete Instance…');
    await screen.press('Delete');
    await eventually(() => !isAlive(call.pid));
    await screen.noRow('hanging');
    assert.equal((await sim.instances()).length, 0);
  });

  it('users C: feedback#14/dstack#3568 unreachable, and billing: said so, and no reason to delete', async () => {
    const { screen, add, list, calls, faults, jump } = now();
    await add('lost', { type: L40S });
    await list();
    await faults({ kind: 'ssh', state: 'kex-closed', command: 'exec', count: 'always' });
    await choose('lost', 'Check Whether It Is Ready');
    await screen.status(/lost: running, probe/);
    jump(6 * MINUTE);
    const told = await screen.notification(/no command ran on it/);
    assert.match(told.text, /^lost is running, and billing, but/);
    assert.deepEqual(told.buttons, ['Wait until Ready']);
    assert.equal((await screen.row('lost', /^running, not reachable ·/)).icon, 'debug-disconnect');
    assert.deepEqual(await calls('delete', 'stop', 'reset'), []);
  });

  it('users C: #366 a socket path that is too long is a fault of this computer: said at once, not tried again', async () => {
    const { screen, add, list, calls, faults } = now();
    await add('longpath', { type: L40S });
    await list();
    await faults({
      kind: 'error',
      command: 'exec',
      count: 'always',
      stderr:
        'unix_listener: path "/home/x/.ssh/brev-control-…" too long for Unix domain socket\nexit status 255\n',
    });
    await choose('longpath', 'Check Whether It Is Ready');
    const told = await screen.notification(/control socket is too long/);
    assert.match(told.text, /Update the Brev CLI to 0\.6\.323 or later/);
    assert.equal((await calls('exec')).length, 1);
  });

  it('users C: #418 no access is for an administrator; still connecting passes', async () => {
    const { screen, add, list, faults, jump } = now();
    await add('guarded', { type: L40S });
    await list();
    await faults({
      kind: 'error',
      command: 'exec',
      count: 'always',
      stderr: `node "guarded" is still connecting — try again shortly, or run \`brev refresh\`\n`,
    });
    await choose('guarded', 'Check Whether It Is Ready');
    await screen.status(/guarded: running, probe 2/);
    await faults({
      kind: 'error',
      command: 'exec',
      count: 'always',
      stderr: `you don't have SSH access to node "guarded". Ask an org admin for access.\n`,
    });
    await screen.status(/guarded: running, probe 4/);
    jump(6 * MINUTE);
    const told = await screen.notification(/SSH access/);
    assert.equal(
      told.text,
      'You have no SSH access to this machine. Ask an administrator of the organisation.',
    );
    await screen.row('guarded', /^running, not reachable ·/);
  });

  it('users C: #412/#218 a shell opens at once, however long the CLI takes, and its spinner is in no log', async () => {
    const { screen, add, list, fullCalls, faults, jump } = now();
    await add('slow', { type: L40S });
    await list();
    await faults({ kind: 'hang', command: 'shell', spinner: 'waiting for instance to be ready...' });
    await choose('slow', 'Open Shell on Instance');
    await eventually(() => vscode.window.terminals.some(({ name }) => name === 'slow'));
    await eventually(async () => (await fullCalls('shell')).length === 1);
    const [call] = await fullCalls('shell');
    assert.deepEqual(call?.args, ['shell', 'slow']);
    assert.equal(call?.exitCode, null, 'the terminal does not wait for the CLI');
    await screen.status(/^slow: shell opened \d+ s ago$/);
    jump(45_000);
    await screen.status(/^slow: shell opened \d+ s ago\. Still waiting\?$/);
    await screen.pressStatus(/Still waiting/);
    const { rows } = await screen.quickInput(/^A Shell That Waits$/);
    assert.equal(rows.length, 3);
    assert.match(rows.join(), /Check Whether It Is Ready.*Refresh SSH Access.*Open Console/);
    await screen.escape();
    assert.deepEqual(await screen.toasts(), []);
    vscode.window.terminals.find(({ name }) => name === 'slow')?.dispose();
    await screen.until('no count', ({ statusBar }) => statusBar.every(({ text }) => !/^slow:/.test(text)));
  });

  it('users G: colab-vscode#171 the terminals of an instance that was deleted or stopped elsewhere', async () => {
    const { screen, access, add, faults, list, calls, sim } = now();
    await add('left', { type: L40S });
    await add('other', { type: L40S });
    await list();
    // as an ssh does whose other end has gone silent
    await faults({ kind: 'hang', command: 'shell', count: 'always' });
    for (const name of ['left', 'other']) {
      await choose(name, 'Open Shell on Instance');
      await eventually(() => vscode.window.terminals.some((terminal) => terminal.name === name));
    }
    await eventually(async () => (await calls('shell')).length === 2);
    const { id } = await sim.instance('left');
    await sim.removeInstance('left');
    await access.parts.store.refresh();
    await screen.noRow('left');
    const gone = await screen.notification(/^left is gone/);
    assert.equal(gone.text, 'left is gone: nothing runs in its terminals any more.');
    await vscode.commands.executeCommand('brev.openShell', { kind: 'instance', id });
    await screen.notification(/^That instance is gone\.$/);
    await screen.press('Close Terminals');
    await eventually(() => vscode.window.terminals.every(({ name }) => name !== 'left'));
    await sim.update('other', { status: 'STOPPED' });
    await access.parts.store.refresh();
    await screen.notification(/^other is stopped: nothing runs in its terminals any more\.$/);
    assert.ok(
      vscode.window.terminals.some(({ name }) => name === 'other'),
      'what it shows may be wanted yet',
    );
    assert.equal((await calls('shell', 'exec')).length, 2, 'nothing new on either');
  });

  it('users C: #308 a command runs in the home directory, wherever the CLI would begin', async () => {
    const { screen, add, list, calls, sim } = now();
    await add('elsewhere', { type: L40S, startDir: '/' });
    await list();
    await choose('elsewhere', 'Run Command on Instance…');
    await screen.quickInput(/Run Command on elsewhere/);
    await screen.type('pwd > where; touch done');
    await screen.accept();
    const { home } = await sim.instance('elsewhere');
    await eventually(() => existsSync(path.join(home, 'done')));
    assert.equal(readFileSync(path.join(home, 'where'), 'utf8'), `${home}\n`);
    assert.equal((await calls('exec')).length, 1);
  });

  it('features 5: nothing runs on a stopped instance, and it is started only when that is wanted', async () => {
    const { screen, add, list, calls, sim } = now();
    await add('asleep', { type: L40S, status: 'STOPPED' });
    await list();
    for (const entry of ['Open Shell on Instance', 'Check Whether It Is Ready']) {
      await choose('asleep', entry);
      const question = await screen.dialog(/^asleep is stopped\. Start asleep\?/);
      assert.match(question.detail, /Billing by the hour begins again: \$2\.23\/h/);
      await screen.press('Cancel');
      await screen.until('no dialog', ({ dialog }) => dialog === null);
    }
    assert.deepEqual(await calls('exec', 'shell', 'start'), []);
    assert.equal((await sim.instance('asleep')).status, 'STOPPED');
  });
});
