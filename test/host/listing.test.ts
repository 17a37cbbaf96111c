import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { scene } from './scene.ts';

const VIEW = 'brev.instances';

describe('The list', () => {
  const now = scene();

  it('users B: #434/#401/#340/#327 an old CLI with its bare array, and nodes that are nobody’s to delete', async () => {
    const { screen, add, installCli, list, calls, sim } = now();
    await add('mine');
    await sim.cloud((cloud) => {
      cloud.nodes = [{ name: 'dgx', org_id: 'org-research', status: 'Connected' }];
    });
    await installCli({ version: '0.6.322' });
    await list();
    await screen.row('mine', /^running ·/);
    await sim.cloud((cloud) => {
      cloud.instances = [];
    });
    await list();
    await screen.noRow('mine');
    assert.match(
      (await screen.view(VIEW)).welcome?.text ?? '',
      /You have no instances\. Nothing is being billed/,
    );
    assert.deepEqual([...new Set(await calls('ls'))], ['ls --json', 'ls orgs --json']);
  });

  it('users B: #389 a GPU that the CLI does not name is no CPU', async () => {
    const { screen, add, list } = now();
    await add('nameless', { type: 'massedcompute_L40S', gpu: '-' });
    await add('unlisted', { type: 'nobody_H100x2', gpu: '-', kind: 'cpu' });
    await list();
    await screen.row('nameless', /^running · \$1\.03\/h · L40S$/);
    await screen.row('unlisted', /^running · price unknown · nobody_H100x2$/);
    const menu = await screen.menuOf(VIEW, 'nameless');
    assert.ok(menu.includes('Run Spec…'), menu.join());
  });

  it('users B: #292/#404 colours, a spinner and advice around an answer', async () => {
    const { screen, add, list, faults } = now();
    await add('found');
    await faults({
      kind: 'surround',
      command: 'ls',
      before: 'Tip: try brev open\n',
      after: '\nA new version is there!\n',
      count: 'always',
    });
    await list();
    await screen.row('found');
    await faults({
      kind: 'error',
      command: 'ls',
      stderr: '\u001b[K\r⣷ looking \u001b[K\r⣯ looking \r\u001b[K\u001b[31mno such\u001b[0m luck\n',
      count: 'always',
    });
    await list();
    assert.equal((await screen.notification(/luck/)).text, 'brev ls: no such luck');
    await screen.row('found', /^running \(stale\) ·/);
    assert.match((await screen.view(VIEW)).message, /^As of .+\. brev ls: no such luck$/);
  });

  it('users B: colab#587/#514 an instance that is deleted elsewhere while a slow list is under way', async () => {
    const { screen, add, list, faults, sim, calls } = now();
    await add('fading');
    await list();
    await faults({ kind: 'delay', command: 'ls', ms: 300 });
    const begun = (await calls('ls')).length;
    const listing = list();
    await eventually(async () => (await calls('ls')).length > begun);
    await sim.update('fading', { motion: { kind: 'delete', since: Date.now() + 60_000 } });
    await listing;
    await screen.row('fading', /^being deleted ·/);
    await sim.removeInstance('fading');
    await screen.noRow('fading');
  });

  it('users B: coder#382 nobody looks while the view is hidden; shown again, it is listed at once', async () => {
    const { screen, add, list, calls } = now();
    await list();
    await vscode.commands.executeCommand('workbench.view.explorer');
    await screen.until('the explorer', ({ views }) => views.every(({ id }) => id !== 'brev-instances'));
    await add('meanwhile');
    const before = (await calls('ls')).length;
    await vscode.commands.executeCommand('brev.instances.focus');
    await screen.row('meanwhile');
    assert.equal((await calls('ls')).length, before + 1);
  });

  it('users B: ClaudeCodeUsage#55/#69 a window that gets the focus lists at once', async () => {
    const { screen, add, list, calls } = now();
    await list();
    await screen.focus(false);
    await eventually(() => !vscode.window.state.focused);
    await add('unseen');
    const before = (await calls('ls')).length;
    await screen.focus(true);
    await screen.row('unseen');
    assert.equal((await calls('ls')).length, before + 1);
  });

  it('users B: coder#202 a refresh button that is mashed', async () => {
    const { screen, add, list, calls } = now();
    await add('steady');
    await list();
    const before = (await calls('ls')).length;
    await Promise.all(Array.from({ length: 10 }, () => vscode.commands.executeCommand('brev.refresh')));
    const made = (await calls('ls')).length - before;
    assert.ok(made >= 1 && made <= 2, `${made} lists`);
    await screen.row('steady');
  });

  it('users G: coder#1012/#1010/#1019 the proxy of VS Code reaches the CLI, unless it is off, and its password nothing else', async () => {
    const { access, list, fullCalls } = now();
    const proxy = 'http://someone:pass-word-1@127.0.0.1:9';
    const http = () => vscode.workspace.getConfiguration('http');
    const variables = async () => {
      await list();
      const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = (await fullCalls('ls')).at(-1)?.env ?? {};
      return { HTTP_PROXY, HTTPS_PROXY, NO_PROXY };
    };
    const set = async (key: string, value: unknown) =>
      http().update(key, value, vscode.ConfigurationTarget.Global);
    try {
      const before = await variables();
      await set('proxy', proxy);
      await set('noProxy', ['intranet.example']);
      assert.deepEqual(await variables(), {
        HTTP_PROXY: proxy,
        HTTPS_PROXY: proxy,
        NO_PROXY: 'intranet.example',
      });
      const { redactor } = access.parts;
      assert.doesNotMatch(redactor.redact(`HTTP_PROXY=${proxy}`), /pass-word-1/);
      await set('proxySupport', 'off');
      assert.deepEqual(await variables(), before);
    } finally {
      for (const key of ['proxy', 'noProxy', 'proxySupport']) await set(key, undefined);
    }
  });

  it('users G: coder v1.2.1 a failure that stays for twenty lists is told at most once', async () => {
    const { screen, access, add, list } = now();
    await add('broken', { status: 'FAILURE' });
    await list();
    await screen.row('broken', /^failed ·/);
    for (let lists = 0; lists < 20; lists++) await access.parts.store.refresh();
    assert.ok((await screen.toasts()).length <= 1, (await screen.toasts()).join());
  });

  it('a list that never worked says why, and its buttons do what they say', async () => {
    const { screen, access, faults, list, calls } = now();
    access.parts.store.forget();
    await faults({ kind: 'offline', command: 'ls', count: 'always' });
    await list();
    const { welcome } = await screen.until('the failure', ({ views }) =>
      views.find(
        ({ id, welcome }) =>
          id === 'brev-instances' && /cannot be reached from here/.test(welcome?.text ?? ''),
      ),
    );
    assert.match(welcome?.text ?? '', /What runs goes on running, and billing/);
    assert.ok(welcome?.buttons.includes('Try Again'), welcome?.buttons.join());
    const before = (await calls('ls')).length;
    // while it still fails: the next look by itself would take the button away
    await screen.pressInView(VIEW, 'Try Again');
    await eventually(async () => (await calls('ls')).length > before);
    await faults();
    await list();
    await screen.until('the list', ({ views }) =>
      views.some(({ id, welcome }) => id === 'brev-instances' && /no instances/.test(welcome?.text ?? '')),
    );
    await screen.pressInView(VIEW, 'Create an Instance');
    await screen.quickInput(/GPU Type/);
  });
});
