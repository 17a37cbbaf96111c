import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { cloud, extension } from './extension.ts';

describe('Activation', () => {
  it('starts no CLI process by itself', async () => {
    await extension();
    assert.deepEqual(await (await cloud()).calls(), []);
  });

  it('registers every command that the manifest declares', async () => {
    await extension();
    const manifest: unknown = vscode.extensions.getExtension('brev-instances.brev-instances')?.packageJSON;
    const declared = commandsOf(manifest);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(declared.length > 10);
    assert.deepEqual(
      declared.filter((id) => !registered.has(id)),
      [],
    );
  });

  it('lists the instances when the view is opened, and only then', async () => {
    const { parts } = await extension();
    const sim = await cloud();
    await vscode.commands.executeCommand('brev.instances.focus');
    await parts.store.refresh();
    assert.deepEqual(
      parts.store.instances.map((instance) => [instance.name, instance.status]),
      [
        ['train-l40s', 'running'],
        ['spare-a100', 'stopped'],
      ],
    );
    for (const call of await sim.calls()) {
      assert.equal(call.env.DO_NOT_TRACK, '1');
      assert.equal(call.env.SSH_AUTH_SOCK, true);
      assert.notEqual(call.args[0], 'exec', 'nothing runs on an instance because a view was opened');
    }
  });
});

function commandsOf(manifest: unknown): string[] {
  const contributes = property(manifest, 'contributes');
  const commands = property(contributes, 'commands');
  return Array.isArray(commands) ? commands.map((entry) => String(property(entry, 'command'))) : [];
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
