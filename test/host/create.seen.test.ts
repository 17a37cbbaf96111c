import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { create } from './createWizard.ts';
import { scene } from './scene.ts';

const L40S = 'g6e.xlarge';
const OTHER_L40S = 'l40s-48gb.1x';
const MINUTE = 60_000;

describe('Create', () => {
  const now = scene();

  it('users A: #376/#377 a picker that is left buys nothing', async () => {
    const { screen, calls } = now();
    void vscode.commands.executeCommand('brev.createInstance');
    const { rows } = await screen.quickInput(/GPU Type/);
    assert.match(rows[0] ?? '', /^1 × T4/, 'who looks for a GPU sees GPUs first');
    assert.ok(
      rows.every((row) => /\$\d|More than one machine/.test(row)),
      rows.join('\n'),
    );
    await screen.escape();
    await screen.noQuickInput();
    void vscode.commands.executeCommand('brev.createInstance');
    await screen.quickInput(/GPU Type/);
    await screen.type(L40S);
    await screen.pick(L40S);
    await screen.quickInput(/Fallbacks/);
    await screen.accept();
    await screen.quickInput(/Name/);
    await screen.back();
    await screen.quickInput(/Fallbacks/);
    await screen.escape();
    await screen.noQuickInput();
    assert.deepEqual(await calls('create'), []);
  });

  it('users A: #376/#377 the type is always named, and the price stands before the last Enter', async () => {
    const { screen, calls } = now();
    void vscode.commands.executeCommand('brev.createInstance');
    await screen.quickInput(/GPU Type/);
    await screen.type(L40S);
    await screen.pick(L40S);
    await screen.quickInput(/Fallbacks/);
    await screen.type(OTHER_L40S);
    await screen.pick(OTHER_L40S);
    await screen.accept();
    assert.match((await screen.quickInput(/Name/)).message, /^up to \$2\.23\/h, billed until you delete it/);
    await screen.type('a b');
    await screen.until(
      'a refusal',
      ({ quickInput }) => quickInput?.invalid && /letters/.test(quickInput.message),
    );
    await screen.type('bought');
    await screen.accept();
    assert.match(
      (await screen.quickInput(/Lifetime/)).placeholder,
      /Press Enter to create it: up to \$2\.23\/h/,
    );
    assert.deepEqual(await calls('create'), []);
    await screen.pick('Keep until I delete it');
    await screen.row('bought', /\$2\.23\/h · L40S/);
    assert.deepEqual(await calls('create'), [`create bought --type ${L40S},${OTHER_L40S} --detached`]);
    assert.deepEqual((await screen.notification(/^bought is ready/)).buttons, ['Run Spec…', 'Open Shell']);
    assert.match((await screen.row('bought', /^ready ·/)).spoken, /bought, ready, L40S, \$2\.23/);
  });

  it('users A: #386 a type that Brev does not know is one sentence, and a sold-out one another', async () => {
    const { screen, calls, faults, sim } = now();
    await faults({
      kind: 'error',
      command: 'create',
      stderr: `Skipping: instance type "${L40S}" is not a recognized type; run 'brev search' to see available types\nWarning: Only created 0/1 instances\ncould only create 0/1 instances\n`,
    });
    await create(screen, { type: L40S, name: 'odd' });
    const unknown = await screen.notification(/instance type/);
    assert.equal(unknown.text, `Brev does not know the instance type ${L40S}. Pick one from the list.`);
    assert.deepEqual(unknown.buttons, ['Pick a Type…']);
    await sim.cloud((cloud) => {
      cloud.soldOut = [L40S];
    });
    await create(screen, { type: L40S, name: 'sold' });
    const soldOut = await screen.notification(/sold out/);
    assert.equal(
      soldOut.text,
      `${L40S} is sold out right now. Pick another type with the same GPU, or try later.`,
    );
    assert.equal((await calls('create')).length, 2);
    await screen.press('Pick a Type…');
    await screen.quickInput(/GPU Type/);
  });

  it('users A: #386 a chain goes on to its next type when the first is sold out', async () => {
    const { screen, calls, sim } = now();
    await sim.cloud((cloud) => {
      cloud.soldOut = [L40S];
    });
    await create(screen, { type: L40S, fallbacks: [OTHER_L40S], name: 'chained' });
    await screen.row('chained', /\$1\.74\/h · L40S/);
    assert.equal((await calls('create')).length, 1);
  });

  it('users A: #378 a create that ends with EOF: the instance exists and bills, and is kept or deleted', async () => {
    const { screen, calls, faults } = now();
    await faults({ kind: 'create-lost', command: 'create' });
    await create(screen, { type: L40S, name: 'orphan' });
    const adopted = await screen.notification(/orphan exists/);
    assert.match(
      adopted.text,
      /^orphan exists, and is billing, although .* It is unverified until a command/,
    );
    assert.equal(adopted.severity, 'warning');
    assert.deepEqual(adopted.buttons, ['Keep', 'Delete…']);
    await screen.press('Keep');
    await screen.row('orphan', /^ready ·/);
    assert.equal((await calls('create')).length, 1, 'a create is never repeated blindly');
    assert.deepEqual(await calls('delete'), []);
  });

  it('users A: #378 RUNNING with an empty build for ever: the missing signal is named, and the ways out', async () => {
    const { screen, add, faults, jump, list, calls } = now();
    await faults({ kind: 'ssh', state: 'refused', command: 'exec', count: 'always' });
    await add('stillborn', { buildStatus: '', shellStatus: 'NOT READY', type: L40S });
    await list();
    await screen.menuOf('brev.instances', 'stillborn');
    await screen.choose('Check Whether It Is Ready');
    await screen.status(/stillborn: running, probe/);
    await screen.row('stillborn', /^running, not ready yet ·/);
    jump(6 * MINUTE);
    const told = await screen.notification(/^stillborn is running, and billing/);
    assert.match(told.text, /no command ran on it within 6 min \(build: never started, shell: NOT READY/);
    assert.deepEqual(told.buttons, ['Other GPU…', 'Console', 'Delete…', 'Wait']);
    await screen.row('stillborn', /^running, not reachable ·/);
    await screen.status(/stillborn is not ready/);
    const hover = await screen.hoverOf('brev.instances', 'stillborn');
    assert.match(hover, /build: never started, shell: NOT READY/);
    assert.match(hover, /A command ran: not yet/);
    assert.deepEqual(await calls('create', 'delete', 'stop'), []);
  });

  it('users A: #382 an adopted instance on which nothing runs stays unverified, Delete one click away', async () => {
    const { screen, calls, faults, sim } = now();
    await faults(
      { kind: 'create-lost', command: 'create' },
      { kind: 'ssh', state: 'refused', command: 'exec', count: 'always' },
    );
    await create(screen, { type: L40S, name: 'broken' });
    await screen.notification(/broken exists/);
    await screen.row('broken', /^running, not ready yet ·/);
    await screen.press('Delete…');
    const question = await screen.dialog(/^Delete broken and everything on it\?/);
    assert.match(question.detail, /The home directory is lost too/);
    assert.match(question.detail, /Billing \(\$2\.23\/h\) ends when it is gone/);
    const { id } = await sim.instance('broken');
    await screen.press('Delete');
    await screen.noRow('broken');
    assert.deepEqual(await calls('create', 'delete'), [
      `create broken --type ${L40S} --detached`,
      `delete ${id}`,
    ]);
  });

  it('users A: #338 a name that is still being deleted: wait, then create', async () => {
    const { screen, add, calls, sim, list } = now();
    await add('again', { type: L40S, motion: { kind: 'delete', since: Date.now() + 60_000 } });
    await list();
    await screen.row('again', /^being deleted ·/);
    void vscode.commands.executeCommand('brev.createInstance');
    await screen.quickInput(/GPU Type/);
    await screen.type(OTHER_L40S);
    await screen.pick(OTHER_L40S);
    await screen.quickInput(/Fallbacks/);
    await screen.accept();
    await screen.quickInput(/Name/);
    await screen.type('again');
    await screen.accept();
    await screen.quickInput(/Lifetime/);
    await screen.pick('Keep until I delete it');
    const taken = await screen.notification(/still being deleted/);
    assert.equal(
      taken.text,
      'The previous again is still being deleted. Wait until it is gone, or choose another name.',
    );
    assert.deepEqual(taken.buttons, ['Wait, Then Create']);
    await screen.press('Wait, Then Create');
    await screen.notification(/Waiting until the previous again is deleted/);
    assert.deepEqual(await calls('create', 'delete'), []);
    await sim.removeInstance('again');
    await screen.row('again', /\$1\.74\/h/);
    assert.deepEqual(await calls('create', 'delete'), [`create again --type ${OTHER_L40S} --detached`]);
  });

  it('users A: #338 a name that is taken though no list shows it', async () => {
    const { screen, calls, faults } = now();
    await faults({ kind: 'name-taken', command: 'create' });
    await create(screen, { type: L40S, name: 'ghost' });
    const taken = await screen.notification(/already/);
    assert.match(taken.text, /There is already an instance named ghost\. Choose another name/);
    assert.ok(!taken.buttons.some((button) => button.startsWith('Delete')), taken.buttons.join());
    assert.equal((await calls('create')).length, 1);
    assert.deepEqual(await calls('delete'), []);
  });

  it('users A: #391 a Go panic is one line, and its trace is in the log', async () => {
    const { screen, calls, faults } = now();
    await faults({ kind: 'panic', command: 'create', message: 'invalid launchable URL: https://x/y' });
    await create(screen, { type: L40S, name: 'panic' });
    const told = await screen.notification(/crashed/);
    assert.equal(told.text, 'The Brev CLI crashed: invalid launchable URL: https://x/y');
    assert.deepEqual(told.buttons, ['Show Log']);
    assert.equal((await calls('create')).length, 1);
  });

  it('users A: #391/#406/#394 a launchable goes to create, its price is said to be unknown, and what is unverified too', async () => {
    const { screen, calls } = now();
    const deploying = vscode.commands.executeCommand('brev.deployLaunchable');
    await screen.quickInput(/^Deploy Launchable \(/);
    await screen.type('https://brev.example/launchable/deploy/now?launchableID=env-2abC9');
    await screen.accept();
    await screen.quickInput(/^Deploy Launchable: Name/);
    assert.deepEqual(await calls('create', 'start'), []);
    await screen.accept();
    const told = await screen.notification(/could not be verified from here/);
    assert.match(told.text, /its open ports, its location, and whether its setup script ran/);
    assert.deepEqual(told.buttons, ['Open Console']);
    assert.deepEqual(await calls('create', 'start'), ['create launchable --launchable env-2abC9 --detached']);
    await screen.row('launchable');
    await vscode.commands.executeCommand('notifications.clearAll');
    await deploying;
  });

  it('users A: #261 a status that flaps: at most one notification, and Delete is always there', async () => {
    const { screen, add, list, access, calls } = now();
    await add('flapping', { type: L40S, cycle: ['STARTING', 'STARTING', 'STARTING', 'FAILURE', 'FAILURE'] });
    await list();
    const seen = new Set<string>();
    for (let lists = 0; lists < 10; lists++) {
      await access.parts.store.refresh();
      seen.add(access.parts.store.instances[0]?.reported.status ?? '');
      const menu = await screen.menuOf('brev.instances', 'flapping');
      assert.ok(menu.includes('Delete Instance…'), menu.join());
      await screen.escape();
    }
    assert.deepEqual(
      [...seen].sort((a, b) => a.localeCompare(b)),
      ['FAILURE', 'STARTING'],
    );
    const toasts = await screen.toasts();
    assert.ok(toasts.length <= 1, toasts.join('\n'));
    assert.deepEqual(await calls('delete', 'stop', 'start', 'exec'), []);
  });

  it('a create that is cancelled: what exists is looked up before anything is said', async () => {
    const { screen, calls, faults, sim } = now();
    await faults({ kind: 'create-pending', command: 'create' });
    await create(screen, { type: L40S, name: 'pending' });
    await screen.notification(/^Creating pending/);
    await eventually(async () => (await sim.instances()).length === 1);
    await screen.press('Cancel');
    const told = await screen.notification(/pending exists/);
    assert.match(told.text, /^You cancelled, but pending exists, and is billing/);
    assert.equal((await calls('create')).length, 1);
    await screen.row('pending');
  });

  it('a create that is cancelled before anything was made says so, and is no error', async () => {
    const { screen, calls, faults } = now();
    await faults({ kind: 'hang', command: 'create' });
    await create(screen, { type: L40S, name: 'never' });
    await eventually(async () => (await calls('create')).length === 1);
    await screen.press('Cancel');
    const told = await screen.notification(/No instance was created/);
    assert.equal(told.severity, 'info');
    assert.equal((await calls('create')).length, 1);
    assert.deepEqual((await screen.view('brev.instances')).rows, []);
  });

  it('a create that is refused tells the reason from the middle of the text', async () => {
    const { screen, calls, faults } = now();
    await faults({
      kind: 'rejected',
      command: 'create',
      message: 'quota of 2 GPUs reached for org research',
    });
    await create(screen, { type: L40S, name: 'refused' });
    const told = await screen.notification(/quota/);
    assert.equal(told.text, 'brev create: quota of 2 GPUs reached for org research');
    assert.deepEqual(told.buttons, ['Show Log']);
    assert.equal((await calls('create')).length, 1);
  });

  it('an outcome that nobody can tell is said to be unknown, with another look as the next step', async () => {
    const { screen, calls, faults } = now();
    await faults({ kind: 'delay', command: 'create', ms: 1_500 });
    await create(screen, { type: L40S, name: 'unclear' });
    await eventually(async () => (await calls('create')).length === 1);
    await faults({ kind: 'offline', command: 'ls', count: 'always' });
    const told = await screen.notification(/not known/);
    assert.match(
      told.text,
      /^It is not known whether unclear was created\. Look again before you create another/,
    );
    assert.deepEqual(told.buttons, ['Look Again']);
    await faults();
    await screen.press('Look Again');
    await screen.row('unclear');
    assert.equal((await calls('create')).length, 1);
  });

  it('more than one machine is refused with the way to Lepton', async () => {
    const { screen, calls } = now();
    void vscode.commands.executeCommand('brev.createInstance');
    await screen.quickInput(/GPU Type/);
    await screen.type('More than one');
    await screen.pick('More than one machine');
    const told = await screen.notification(/Lepton/);
    assert.match(told.text, /one machine with up to 8 GPUs/);
    assert.deepEqual(told.buttons, ['About Lepton']);
    assert.deepEqual(await calls('create'), []);
  });

  it('features 20: stuck in provisioning: the next type of the chain is created, then the stuck one is asked about', async () => {
    const { screen, calls, faults, jump } = now();
    await faults({ kind: 'never-ready', command: 'create' });
    await create(screen, { type: L40S, fallbacks: [OTHER_L40S], name: 'stuck' });
    await screen.status(/stuck: deploying/);
    jump(11 * MINUTE);
    const told = await screen.notification(/^stuck has been in provisioning for 11 min/);
    assert.match(told.text, /it may be billing\. The next of your types is l40s-48gb\.1x, \$1\.74\/h\.$/);
    assert.deepEqual(told.buttons, ['Try Next Type', 'Other GPU…', 'Console', 'Delete…', 'Wait']);
    await screen.press('Try Next Type');
    await screen.row('stuck-2', /\$1\.74\/h/);
    assert.match((await screen.dialog(/Delete stuck/)).detail, /Billing/);
    assert.deepEqual(await calls('create'), [
      `create stuck --type ${L40S},${OTHER_L40S} --detached`,
      `create stuck-2 --type ${OTHER_L40S} --detached`,
    ]);
    assert.deepEqual(await calls('delete'), []);
    await screen.press('Delete');
    await screen.noRow('stuck');
    await screen.row('stuck-2', /^ready ·/);
  });

  it('a machine that fails to start says so once, with the ways out', async () => {
    const { screen, faults, calls } = now();
    await faults({ kind: 'machine-failure', command: 'create', message: 'no quota' });
    await create(screen, { type: L40S, name: 'failing' });
    const told = await screen.notification(/^failing failed to start\. Delete it and try another type/);
    assert.ok(told.buttons.includes('Delete…'), told.buttons.join());
    assert.equal((await screen.row('failing', /^failed ·/)).icon, 'error');
    assert.deepEqual(await calls('exec'), [], 'nothing runs on a failed machine');
  });
});
