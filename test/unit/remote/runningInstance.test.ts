import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { InstanceStore } from '../../../src/instances/store.ts';
import type { RunResult } from '../../../src/process/run.ts';
import { requireOn } from '../../../src/remote/runningInstance.ts';
import { Shells } from '../../../src/remote/shells.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { failing, listed, printed, RecordedCli, row } from '../brev/recordedCli.ts';

const TARGET = { instanceId: 'id-a', instanceName: 'a' };

function account(t: TestContext, list: () => RunResult) {
  const clock = new FakeClock();
  const cli = new RecordedCli((args) => {
    switch (args.join(' ')) {
      case 'ls --json':
        return list();
      case 'ls orgs --json':
        return printed('[{"id":"o"}]');
      case 'search cpu --json':
        return printed('[]');
      default:
        return printed('');
    }
  });
  const store = new InstanceStore({
    brev: cli.brev,
    clock,
    intervals: () => ({ steadyMs: 1e9, transitionMs: 1e9 }),
  });
  const shells = new Shells({ brev: cli.brev, store, ssh: undefined, clock, log: () => undefined });
  t.after(async () => {
    await shells.dispose();
    store.dispose();
  });
  return { cli, clock, store, openShell: () => shells.shell(TARGET) };
}

describe('an instance that is on', () => {
  it('is one that a list that is newer than the question shows as on', async (t) => {
    for (const [status, kind] of [
      ['RUNNING', 'ok'],
      ['UNHEALTHY', 'ok'],
      ['STOPPED', 'instanceNotRunning'],
      ['STOPPING', 'instanceNotRunning'],
      ['STARTING', 'instanceNotRunning'],
      ['FAILURE', 'instanceNotRunning'],
      ['HIBERNATING', 'instanceNotRunning'],
    ] as const) {
      let now: string = 'RUNNING';
      const { store } = account(t, () => listed(row('a', { status: now })));
      await store.refresh();
      now = status;
      const outcome = await requireOn(store, TARGET);
      assert.equal(outcome.kind === 'failed' ? outcome.failure.kind : outcome.kind, kind, status);
    }
  });

  it('is not one that is gone, or of which nothing new can be learnt', async (t) => {
    let answer = listed(row('a'), row('b'));
    const { store } = account(t, () => answer);
    await store.refresh();
    answer = listed(row('b'));
    const gone = await requireOn(store, TARGET);
    assert.ok(gone.kind === 'failed');
    assert.equal(gone.failure.kind, 'instanceNotFound');
    answer = failing('dial tcp: x\n');
    const offline = await requireOn(store, TARGET);
    assert.ok(offline.kind === 'failed');
    assert.equal(offline.failure.kind, 'offline');
    store.dispose();
    assert.equal((await requireOn(store, TARGET)).kind, 'cancelled');
  });

  it('is known by its id, not by a name that another may have by now', async (t) => {
    const { store } = account(t, () => listed(row('a', { id: 'id-other' })));
    const outcome = await requireOn(store, TARGET);
    assert.ok(outcome.kind === 'failed');
    assert.equal(outcome.failure.kind, 'instanceNotFound');
  });

  it('is not asked about twice within the calls of one operation', async (t) => {
    const { cli, clock, store } = account(t, () => listed(row('a')));
    await requireOn(store, TARGET, clock);
    await requireOn(store, TARGET, clock);
    assert.equal(cli.count('ls', '--json'), 1);
    await clock.advance(60_000);
    await requireOn(store, TARGET, clock);
    assert.equal(cli.count('ls', '--json'), 2);
  });
});

describe('a shell on an instance', () => {
  it('goes by the name that the list shows now', async (t) => {
    const { cli, openShell } = account(t, () => listed(row('a', { name: 'renamed' })));
    const shell = await openShell();
    assert.ok(shell.kind === 'ok');
    await shell.value.run({ text: 'true', args: [] }, { timeoutMs: 1, signal: new AbortController().signal });
    assert.equal(cli.count('exec', 'renamed'), 1);
  });

  it('runs nothing once the instance is off, whatever it was when the shell was made', async (t) => {
    let status = 'RUNNING';
    const { cli, clock, openShell } = account(t, () => listed(row('a', { status })));
    const shell = await openShell();
    assert.ok(shell.kind === 'ok');
    status = 'STOPPED';
    await clock.advance(60_000);
    const { signal } = new AbortController();
    assert.equal(
      (await shell.value.run({ text: 'true', args: [] }, { timeoutMs: 1, signal })).kind,
      'failed',
    );
    assert.equal(
      (await shell.value.stream({ text: 'true', args: [] }, () => undefined, signal)).kind,
      'failed',
    );
    assert.equal(cli.count('exec'), 0);
  });
});
