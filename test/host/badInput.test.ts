import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/extension.ts';
import type { Fault } from '../brev-sim/sim.ts';
import { cloud, extension } from './extension.ts';

const ODD_NAMES = [
  'a; rm -rf ~ #',
  '$(touch /tmp/brev-pwned)',
  '学習-1',
  '-leading',
  'x\u202eflip',
  '\u001b[31mred',
];

/** What a person reads in the view: label and description of each row. */
function rows({ view }: TestAccess): string[] {
  return view.getChildren().map((node) => {
    const item = view.getTreeItem(node);
    return `${String(item.label)} | ${String(item.description)}`;
  });
}

describe('Bad answers of the CLI', () => {
  afterEach(async () => {
    await (await cloud()).scenario([]);
    const { parts } = await extension();
    await parts.store.refresh();
  });

  const faults: readonly [string, Fault][] = [
    ['printing nothing', { kind: 'blank', command: 'ls', count: 'always' }],
    ['half a JSON', { kind: 'truncate', command: 'ls', bytes: 60, count: 'always' }],
    ['an HTML page for every answer', { kind: 'html', count: 'always' }],
    [
      'a panic',
      { kind: 'panic', message: 'runtime error: index out of range', command: 'ls', count: 'always' },
    ],
    [
      'an error of the server',
      { kind: 'http', status: 500, message: 'internal', command: 'ls', count: 'always' },
    ],
    ['no network', { kind: 'offline', command: 'ls', count: 'always' }],
  ];
  for (const [what, fault] of faults) {
    it(`keeps the last good list, marked stale: ${what}`, async () => {
      const access = await extension();
      await access.parts.store.refresh();
      const before = rows(access);
      assert.ok(before.length >= 2);
      await (await cloud()).scenario([fault]);
      const listed = await access.parts.store.refresh();
      assert.equal(listed.kind, 'failed');
      assert.equal(access.parts.store.listing.kind, 'stale');
      const after = rows(access);
      assert.equal(after.length, before.length);
      assert.ok(
        after.every((row) => row.includes('stale')),
        after.join('\n'),
      );
    });
  }

  it('shows odd names and unknown states, and runs nothing on them', async () => {
    const access = await extension();
    const sim = await cloud();
    for (const name of ODD_NAMES) {
      await sim.addInstance({ name, status: 'RUNNING' });
    }
    await sim.addInstance({ name: 'hm', status: 'HIBERNATING' as 'RUNNING' });
    await access.parts.store.refresh();
    const shown = rows(access);
    for (const name of ODD_NAMES) {
      assert.ok(
        shown.some((row) => row.startsWith(`${name} | `)),
        `${name} is shown`,
      );
    }
    assert.ok(shown.some((row) => /^hm \| .*HIBERNATING/.test(row)));
    const before = (await sim.calls()).length;
    for (const instance of access.parts.store.instances.filter(({ name }) => ODD_NAMES.includes(name))) {
      const opened = await access.parts.terminals.run(instance, 'true');
      assert.equal(opened.kind === 'failed' && opened.failure.kind, 'unusableName');
    }
    assert.deepEqual(
      (await sim.calls()).slice(before).filter((call) => call.args[0] === 'exec'),
      [],
    );
    for (const name of [...ODD_NAMES, 'hm']) {
      await sim.removeInstance(name);
    }
  });

  it('a CLI that is missing, then there again', async () => {
    const { parts } = await extension();
    const configuration = vscode.workspace.getConfiguration('brev');
    await configuration.update('path', '/nowhere/brev', vscode.ConfigurationTarget.Global);
    const missing = await parts.store.refresh();
    assert.equal(missing.kind === 'failed' && missing.failure.kind, 'cliMissing');
    await configuration.update('path', undefined, vscode.ConfigurationTarget.Global);
    assert.equal((await parts.store.refresh()).kind, 'ok');
  });

  it('a workspace cannot name the binary', async () => {
    const { parts } = await extension();
    const configuration = vscode.workspace.getConfiguration('brev');
    await assert.rejects(
      async () => configuration.update('path', './evil', vscode.ConfigurationTarget.Workspace),
      'a workspace file must not redirect the binary',
    );
    assert.equal((await parts.store.refresh()).kind, 'ok');
  });
});
