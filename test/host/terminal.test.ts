import assert from 'node:assert/strict';
import { existsSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { cloud, extension } from './extension.ts';

describe('A command in a terminal', () => {
  it('runs once, although it fails, and no local shell reads it', async () => {
    const { parts } = await extension();
    const sim = await cloud();
    await parts.store.refresh();
    const instance = parts.store.instances.find(({ name }) => name === 'train-l40s');
    assert.ok(instance);
    const { home } = await sim.instance('train-l40s');
    const file = path.join(home, 'ran');
    const closed = new Promise<vscode.Terminal>((resolve) => vscode.window.onDidCloseTerminal(resolve));
    const opened = await parts.terminals.run(instance, `echo "it's $HOME" >> ran; touch done; exit 3`);
    assert.equal(opened.kind, 'ok');
    await appears(path.join(home, 'done'));
    // the CLI has ended when its call is complete
    assert.ok(opened.kind === 'ok');
    await closed;
    assert.equal(readFileSync(file, 'utf8'), `it's ${home}\n`);
    const calls = (await sim.calls()).filter(
      ({ args }) => args[0] === 'exec' && args.join(' ').includes('>> ran'),
    );
    assert.equal(calls.length, 1);
    assert.equal(calls[0]?.exitCode, 0);
    assert.equal(calls[0]?.env.DO_NOT_TRACK, '1');
  });

  it('is not run on a stopped instance', async () => {
    const { parts } = await extension();
    const sim = await cloud();
    await parts.store.refresh();
    const stopped = parts.store.instances.find(({ name }) => name === 'spare-a100');
    assert.ok(stopped);
    const before = (await sim.calls()).length;
    // the question whether to start it stays open: nobody answers
    void vscode.commands.executeCommand('brev.openShell', { kind: 'instance', id: stopped.id });
    await parts.store.refresh();
    await parts.store.refresh();
    const later = (await sim.calls()).slice(before).map((call) => call.args[0]);
    assert.ok(!later.includes('shell') && !later.includes('exec') && !later.includes('start'), later.join());
    assert.equal((await sim.instance('spare-a100')).status, 'STOPPED');
  });
});

/** Resolves when the file is there. */
function appears(file: string): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (existsSync(file)) {
        watcher.close();
        resolve();
      }
    };
    const watcher = watch(path.dirname(file), check);
    check();
  });
}
