import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { scene } from './scene.ts';

const L40S = 'g6e.xlarge';
const MINUTE = 60_000;

describe('What runs and what it costs', () => {
  const now = scene();

  /** The text of the item that tells the cost; undefined while it is hidden. */
  async function cost(): Promise<string | undefined> {
    await now().screen.settled();
    return (await now().screen.statusBar()).find(({ id }) => id.endsWith('brev.cost'))?.text;
  }

  it('users E: clearml-session#37/dstack#2268/#1047 the running cost: known, unknown, stale, and none', async () => {
    const { screen, access, add, list, faults, jump, sim } = now();
    assert.equal(await cost(), undefined, 'nothing runs');
    await add('train', { type: L40S });
    await add('paused', { type: L40S, status: 'STOPPED' });
    await list();
    await screen.status(/^\$2\.23\/h$/);
    await add('odd', { type: 'of-a-provider-that-left' });
    await list();
    await screen.status(/^\$2\.23\/h \+ 1 unknown$/);
    jump(30 * MINUTE);
    await list();
    const hover = await screen.hoverOfStatus(/1 unknown/);
    assert.match(hover, /train \$2\.23\/h · seen on since .+ \(30 min\) · about \$1\.1[12] so far/);
    assert.match(hover, /odd price unknown · seen on since .+ \(30 min\)\n/);
    assert.match(hover, /paused stopped: storage only/);
    assert.match(hover, /Amounts are estimates/);
    await vscode.commands.executeCommand('workbench.view.explorer');
    await screen.pressStatus(/1 unknown/);
    await screen.row('train', /^running ·/);
    await faults({ kind: 'offline', command: 'ls', count: 'always' });
    await access.parts.store.refresh();
    await screen.status(/^\$2\.23\/h \+ 1 unknown \(as of .+\)$/);
    await faults();
    await sim.update('train', { status: 'STOPPED' });
    await sim.removeInstance('odd');
    await list();
    await add('coming', { type: L40S, status: 'STARTING' });
    await list();
    await screen.status(/^\$2\.23\/h starting$/);
    await add('second', { type: L40S });
    await list();
    const both = await screen.hoverOfStatus(/^\$2\.23\/h \+ \$2\.23\/h starting$/);
    assert.match(both, /coming STARTING: soon costs \$2\.23\/h, if it does not already/);
    await sim.removeInstance('coming');
    await sim.removeInstance('second');
    await list();
    await screen.row('train', /^stopped ·/);
    assert.equal(await cost(), undefined, 'nothing runs any more');
  });
});
