import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { scene } from './scene.ts';

const VIEW = 'brev.instances';
const L40S = 'g6e.xlarge';
const MINUTE = 60_000;

describe('Start, stop, reset, delete', () => {
  const now = scene();

  /** Chooses an entry of an instance's menu. */
  async function choose(label: string, entry: string): Promise<void> {
    await now().screen.menuOf(VIEW, label);
    await now().screen.choose(entry);
  }

  it('users E: #416 a type that cannot be stopped: said before and after, and the row stays running', async () => {
    const { screen, add, list, calls, sim } = now();
    await add('fixed', { type: 'massedcompute_L40S' });
    await list();
    await screen.row('fixed', /\$1\.03/);
    await choose('fixed', 'Stop Instance…');
    const question = await screen.dialog(/^Stop fixed\?/);
    assert.match(question.detail, /probably cannot be stopped, and only deleting it ends the billing: fixed/);
    assert.match(question.detail, /The disk goes on costing money/);
    assert.match(question.detail, /Starting it again can fail/);
    await screen.press('Stop');
    const told = await screen.notification(/cannot be stopped/);
    assert.equal(told.text, 'fixed cannot be stopped: only deleting it ends the billing.');
    assert.deepEqual(told.buttons, ['Delete…']);
    await screen.row('fixed', /^running ·/);
    const { id } = await sim.instance('fixed');
    assert.deepEqual(await calls('stop', 'delete'), [`stop ${id}`]);
  });

  it('users E: gpu-instances/skypilot#2755 stopped is storage, not $0.00; a start without capacity is tried again', async () => {
    const { screen, add, list, calls, faults, sim } = now();
    await add('paused', { type: L40S });
    await list();
    await screen.row('paused', /^running ·/);
    await choose('paused', 'Stop Instance…');
    await screen.press('Stop');
    const stopped = await screen.row('paused', /^stopped ·/);
    assert.equal(stopped.description, 'stopped · storage only · L40S');
    await faults({ kind: 'no-capacity', command: 'start' });
    await choose('paused', 'Start Instance…');
    assert.match(
      (await screen.dialog(/^Start paused\?/)).detail,
      /Billing by the hour begins again: \$2\.23\/h/,
    );
    await screen.press('Start');
    const told = await screen.notification(/could not be started/);
    assert.match(told.text, /no such machine free now\. Its disk is kept/);
    assert.deepEqual(told.buttons, ['Try Again']);
    await screen.row('paused', /^stopped · storage only/);
    await screen.press('Try Again');
    await screen.row('paused', /^ready ·/);
    const { id } = await sim.instance('paused');
    assert.deepEqual(await calls('start', 'delete'), [`start ${id} --detached`, `start ${id} --detached`]);
  });

  it('users E: NemoClaw#8924/colabtools#3647 a delete is done when the list no longer has it', async () => {
    const { screen, add, list, calls, faults, jump, access, sim } = now();
    await add('lingering', { type: L40S });
    await list();
    await faults({ kind: 'delete-lingers', command: 'delete', lists: 1_000 });
    await screen.row('lingering', /\$2\.23/);
    const { id } = await sim.instance('lingering');
    await choose('lingering', 'Delete Instance…');
    await screen.dialog(/^Delete lingering/);
    await screen.press('Cancel');
    await screen.until('no dialog', ({ dialog }) => dialog === null);
    assert.deepEqual(await calls('delete'), []);
    await choose('lingering', 'Delete Instance…');
    await screen.press('Delete');
    await screen.until('the call', ({ dialog }) => dialog === null);
    for (let lists = 0; lists < 5; lists++) {
      await access.parts.store.refresh();
      await screen.row('lingering', /^running ·/);
    }
    assert.deepEqual(await screen.toasts(), []);
    jump(11 * MINUTE);
    const told = await screen.notification(/was to be deleted/);
    assert.match(told.text, /lingering was to be deleted, but Brev still lists it\. It may still be billing/);
    await access.parts.store.refresh();
    assert.equal((await screen.toasts()).length, 1);
    assert.deepEqual(await calls('delete'), [`delete ${id}`]);
  });

  it('users E: coder#217 started by somebody else a moment ago is no error', async () => {
    const { screen, add, list, calls, sim } = now();
    await add('busy', { type: L40S, status: 'STOPPED' });
    await list();
    await choose('busy', 'Start Instance…');
    await screen.dialog(/^Start busy/);
    await sim.update('busy', { status: 'RUNNING', motion: { kind: 'start', since: Date.now() } });
    await screen.press('Start');
    await screen.row('busy', /^ready ·/);
    assert.deepEqual(
      (await screen.toasts()).filter((text) => !/^busy is ready/.test(text)),
      [],
    );
    assert.equal((await calls('start')).length, 1);
  });

  it('users A: #261 strange states hide nothing: Delete and Stop are there for each', async () => {
    const { screen, add, list } = now();
    const states = ['HIBERNATING', '', 'FAILURE', 'DELETING', 'STOPPING'];
    for (const [index, status] of states.entries()) await add(`odd${index}`, { status });
    await list();
    assert.match((await screen.row('odd0')).description, /^HIBERNATING/);
    assert.match((await screen.row('odd1')).description, /^state unknown/);
    for (const index of states.keys()) {
      const menu = await screen.menuOf(VIEW, `odd${index}`);
      for (const entry of ['Delete Instance…', 'Stop Instance…', 'Start Instance…', 'Reset Instance…']) {
        assert.ok(menu.includes(entry), `${states[index]}: ${menu.join()}`);
      }
      await screen.escape();
    }
  });

  it('several at once: one question with all names and their price, one call each, and who failed', async () => {
    const { screen, add, list, calls, faults, sim } = now();
    await add('a1', { type: L40S });
    await add('b2', { type: L40S });
    await add('c3', { type: L40S });
    await list();
    await screen.row('c3', /\$2\.23/);
    await screen.select(VIEW, 'a1');
    await screen.select(VIEW, 'b2', true);
    const ids = [(await sim.instance('a1')).id, (await sim.instance('b2')).id];
    await faults({ kind: 'rejected', command: 'delete', arg: ids[1] ?? '', message: 'instance is locked' });
    await choose('b2', 'Delete Instance…');
    const question = await screen.dialog(/^Delete a1, b2 and everything on it\?/);
    assert.match(question.detail, /Billing \(\$4\.46\/h\)/);
    await screen.press('Delete');
    await screen.notification(/instance is locked/);
    await screen.noRow('a1');
    await screen.row('b2', /^running ·/);
    assert.deepEqual(
      await calls('delete'),
      ids.map((id) => `delete ${id}`),
    );
  });

  it('reset says what is lost, and is watched until it is ready', async () => {
    const { screen, add, list, calls, sim } = now();
    await add('anew', { type: L40S });
    await list();
    await choose('anew', 'Reset Instance…');
    const question = await screen.dialog(/^Reset anew\?/);
    assert.match(question.detail, /Count on losing what is on it.*\nBilling goes on/);
    await screen.press('Reset');
    await screen.row('anew', /starting|not ready yet/);
    await screen.row('anew', /^ready ·/);
    const { id } = await sim.instance('anew');
    assert.deepEqual(await calls('reset'), [`reset ${id}`]);
  });

  it('users D: a read-only key may not stop, and is signed in all the same', async () => {
    const { screen, add, list, calls, faults } = now();
    await add('readonly', { type: L40S });
    await list();
    await faults({ kind: 'error', command: 'stop', stderr: '403 Forbidden: no permission\n' });
    await choose('readonly', 'Stop Instance…');
    await screen.press('Stop');
    const told = await screen.notification(/not allowed/);
    assert.match(told.text, /You are signed in; ask an administrator, or use a key with more rights/);
    await screen.row('readonly', /^running ·/);
    assert.deepEqual(await calls('login', 'logout'), []);
  });
});
