import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { InstanceStore, type InstancesChange } from '../../../src/instances/store.ts';
import type { RunResult } from '../../../src/process/run.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeClock, settled } from '../../support/fake-clock.ts';
import { type Answer, failing, LOGGED_OUT, listed, printed, RecordedCli, row } from '../brev/recordedCli.ts';

const STEADY = 45_000;
const TRANSITION = 4_000;
const OFFLINE = failing('Get "https://x": dial tcp: connect: connection refused\n');
const ORGANISATIONS = printed('[{"id": "o1", "name": "research", "is_active": true}]');
const NO_OFFERS = printed('[]');

/** A store over a CLI whose `ls` is answered by a function; all else as a healthy account answers. */
function storeOver(
  t: TestContext,
  list: () => RunResult | Promise<RunResult>,
  others: Partial<Record<string, Answer>> = {},
) {
  const clock = new FakeClock();
  const cli = new RecordedCli((args, options) => {
    const line = args.join(' ');
    const other = others[line];
    if (other !== undefined) {
      return other(args, options);
    }
    switch (line) {
      case 'ls --json':
        return list();
      case 'ls orgs --json':
        return ORGANISATIONS;
      case 'search cpu --json':
        return NO_OFFERS;
      default:
        throw new Error(`not expected: brev ${line}`);
    }
  });
  const store = new InstanceStore({
    brev: cli.brev,
    clock,
    intervals: () => ({ steadyMs: STEADY, transitionMs: TRANSITION }),
  });
  t.after(() => store.dispose());
  const changes: InstancesChange[] = [];
  store.onChange((change) => changes.push(change));
  const lists = () => cli.count('ls', '--json');
  return { changes, cli, clock, lists, store };
}

const names = (store: InstanceStore) => store.instances.map(({ name }) => name);

describe('a refresh', () => {
  it('gives the list and tells what is new', async (t) => {
    const { changes, store } = storeOver(t, () => listed(row('a'), row('b', { status: 'STOPPED' })));
    assert.equal(store.listing.kind, 'unknown');
    const outcome = await store.refresh();
    assert.equal(outcome.kind, 'ok');
    assert.deepEqual(names(store), ['a', 'b']);
    assert.equal(changes.length, 1);
    assert.deepEqual(
      changes[0]?.added.map(({ name }) => name),
      ['a', 'b'],
    );
    assert.equal(changes[0]?.listing, true);
    assert.equal(store.find('id-b')?.status, 'stopped');
    assert.equal(store.find('id-c'), undefined);
  });

  it('is one for many: ten at once cost two calls at most', async (t) => {
    const { lists, store } = storeOver(t, () => listed(row('a')));
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => store.refresh()));
    assert.ok(outcomes.every(({ kind }) => kind === 'ok'));
    assert.ok(lists() <= 2, String(lists()));
  });

  it('tells only what changed, and nothing when nothing did', async (t) => {
    let rows = [row('a'), row('b'), row('c')];
    const { changes, store } = storeOver(t, () => listed(...rows));
    await store.refresh();
    const told = () => changes.splice(0);
    told();
    await store.refresh();
    await store.refresh();
    assert.deepEqual(told(), []);
    rows = [row('c'), row('b', { status: 'STOPPING' }), row('d')];
    await store.refresh();
    const [change, ...more] = told();
    assert.deepEqual(more, []);
    assert.deepEqual(
      change?.changed.map(({ before, after }) => [before.name, before.status, after.status]),
      [['b', 'running', 'stopping']],
    );
    assert.deepEqual(
      change?.added.map(({ name }) => name),
      ['d'],
    );
    assert.deepEqual(
      change?.removed.map(({ name }) => name),
      ['a'],
    );
    assert.equal(change?.listing, false);
  });

  it('tells each signal that changed: build, shell, health, GPU, name', async (t) => {
    const shown = [
      {},
      { build_status: 'BUILDING' },
      { shell_status: 'NOT READY' },
      { health_status: 'UNHEALTHY' },
      { gpu: 'L4' },
      { instance_type: 'x' },
      { name: 'renamed' },
      { status: 'HIBERNATING' },
    ];
    let index = 0;
    const { changes, store } = storeOver(t, () => listed(row('a', shown[index])));
    await store.refresh();
    for (index = 1; index < shown.length; index++) {
      changes.splice(0);
      await store.refresh();
      assert.equal(changes[0]?.changed.length, 1, JSON.stringify(shown[index]));
    }
  });

  it('shows an id once, however often the CLI lists it', async (t) => {
    const { store } = storeOver(t, () => listed(row('a'), row('b', { id: 'id-a' }), row('c')));
    await store.refresh();
    assert.deepEqual(
      store.instances.map(({ id }) => id),
      ['id-a', 'id-c'],
    );
  });

  it('tells of rows that could not be read', async (t) => {
    const { store } = storeOver(t, () => listed(row('a'), { name: 'no id' }));
    await store.refresh();
    assert.ok(store.listing.kind === 'listed');
    assert.equal(store.listing.unreadable, 1);
  });
});

describe('a refresh that fails', () => {
  const failures: readonly [string, () => RunResult][] = [
    ['no network', () => OFFLINE],
    ['no output', () => printed('')],
    ['half a list', () => printed('{"workspaces": [{"id": "x",')],
    ['a page of HTML', () => printed('<html></html>')],
    ['a hanging CLI', () => ({ kind: 'timedOut', timeoutMs: 1, stdout: '', stderr: '', truncated: false })],
    ['a missing CLI', () => ({ kind: 'notFound', program: 'x' })],
    ['a panic', () => failing('panic: x\n\ngoroutine 1 [running]:\n', '', 2)],
  ];

  for (const [what, answer] of failures) {
    it(`keeps the last good list, and says how old it is: ${what}`, async (t) => {
      let fails = false;
      const { changes, clock, store } = storeOver(t, () => (fails ? answer() : listed(row('a'))));
      await store.refresh();
      const at = clock.now();
      await clock.advance(60_000);
      fails = true;
      changes.splice(0);
      const outcome = await store.refresh();
      assert.equal(outcome.kind, 'failed');
      assert.deepEqual(names(store), ['a']);
      assert.ok(store.listing.kind === 'stale');
      assert.equal(store.listing.at, at);
      assert.deepEqual(
        changes.map(({ added, changed, removed, listing }) => [added, changed, removed, listing]),
        [[[], [], [], true]],
      );
      await store.refresh();
      assert.equal(changes.length, 1, 'the same failure again is no news');
      fails = false;
      await store.refresh();
      assert.equal(store.listing.kind, 'listed');
    });
  }

  it('the first time leaves no list, and says why', async (t) => {
    const { store } = storeOver(t, () => OFFLINE);
    assert.equal((await store.refresh()).kind, 'failed');
    assert.ok(store.listing.kind === 'failed');
    assert.equal(store.listing.failure.kind, 'offline');
    assert.deepEqual(store.instances, []);
  });

  it('in another way than before is news', async (t) => {
    const answers = [listed(row('a')), OFFLINE, failing('no orgs exist\n')];
    const { changes, store } = storeOver(t, () => answers.shift() ?? OFFLINE);
    for (let count = 0; count < 3; count++) {
      await store.refresh();
    }
    assert.equal(changes.length, 3);
  });
});

describe('an empty list after instances', () => {
  it('is confirmed before it is believed', async (t) => {
    let gone = false;
    const { cli, store } = storeOver(t, () => (gone ? listed() : listed(row('a'))));
    await store.refresh();
    assert.equal(cli.count('ls', 'orgs'), 0);
    gone = true;
    await store.refresh();
    assert.equal(cli.count('ls', 'orgs'), 1);
    assert.equal(store.listing.kind, 'listed');
    assert.deepEqual(names(store), []);
  });

  const doubts: readonly [string, string, RunResult][] = [
    ['the account has no organisation', 'ls orgs --json', printed('[]')],
    ['organisations cannot be listed', 'ls orgs --json', OFFLINE],
    [
      'a login page answers in the place of the catalogue',
      'search cpu --json',
      failing("invalid character '<' looking for beginning of value\n"),
    ],
  ];
  for (const [what, line, answer] of doubts) {
    it(`is not believed when ${what}`, async (t) => {
      let gone = false;
      const { store } = storeOver(t, () => (gone ? listed() : listed(row('a'))), { [line]: () => answer });
      await store.refresh();
      gone = true;
      assert.equal((await store.refresh()).kind, 'failed');
      assert.equal(store.listing.kind, 'stale');
      assert.deepEqual(names(store), ['a']);
    });
  }

  it('needs no confirmation when the last one was being deleted, or there was none', async (t) => {
    let rows = [row('a', { status: 'DELETING' })];
    const { cli, store } = storeOver(t, () => listed(...rows));
    await store.refresh();
    rows = [];
    await store.refresh();
    await store.refresh();
    assert.equal(cli.count('ls', 'orgs'), 0);
    assert.deepEqual(names(store), []);
  });
});

describe('polling', () => {
  it('rests when nobody watches and nothing moves', async (t) => {
    const { clock, lists, store } = storeOver(t, () =>
      listed(row('a'), row('b', { status: 'STOPPED' }), row('c', { status: 'FAILURE' })),
    );
    await store.refresh();
    await clock.advance(3_600_000);
    assert.equal(lists(), 1);
    assert.equal(clock.waiting, 0);
  });

  it('is slow while somebody watches, and ends with the last who does', async (t) => {
    const { clock, lists, store } = storeOver(t, () => listed(row('a')));
    const first = store.watch();
    const second = store.watch();
    await store.refresh();
    await clock.advance(10 * STEADY);
    assert.equal(lists(), 11);
    first();
    first();
    await clock.advance(STEADY);
    assert.equal(lists(), 12);
    second();
    await clock.advance(10 * STEADY);
    assert.equal(lists(), 12);
  });

  it('is fast while something moves, also when nobody watches, and rests when it is done', async (t) => {
    for (const status of ['STARTING', 'DEPLOYING', 'STOPPING', 'DELETING']) {
      let now = status;
      const { clock, lists, store } = storeOver(t, () => listed(row('a', { status: now })));
      await store.refresh();
      await clock.advance(5 * TRANSITION);
      assert.equal(lists(), 6, status);
      now = 'RUNNING';
      await clock.advance(TRANSITION);
      await clock.advance(3_600_000);
      assert.equal(lists(), 7, status);
    }
  });

  it('is fast while something is expected that the list does not show yet', async (t) => {
    const { clock, lists, store } = storeOver(t, () => listed(row('a')));
    let done = false;
    store.expect('x', () => done);
    await clock.advance(3 * TRANSITION);
    assert.equal(lists(), 3);
    done = true;
    await clock.advance(3_600_000);
    assert.equal(lists(), 4);
    const stop = store.expect('y', () => false);
    await clock.advance(TRANSITION);
    stop();
    await clock.advance(3_600_000);
    assert.equal(lists(), 6);
  });

  it('goes on after failures that pass', async (t) => {
    const { clock, lists, store } = storeOver(t, () => OFFLINE);
    store.watch();
    await store.refresh();
    await clock.advance(5 * STEADY);
    assert.equal(lists(), 6);
    assert.equal(store.needsUser, false);
  });

  const final: readonly [string, RunResult][] = [
    ['signed out', LOGGED_OUT],
    ['with a token that is no good', failing('invalid refresh token\n')],
    ['without a CLI', { kind: 'notFound', program: 'x' }],
    ['with a CLI that cannot be run', { kind: 'notExecutable', program: 'x', reason: 'EACCES' }],
  ];
  for (const [what, answer] of final) {
    it(`stops ${what} until the user has done something`, async (t) => {
      let now: RunResult = answer;
      const { clock, lists, store } = storeOver(t, () => now);
      store.watch();
      store.expect('x', () => false);
      await store.refresh();
      const before = lists();
      assert.equal(store.needsUser, true);
      await clock.advance(3_600_000);
      assert.equal(lists(), before);
      now = listed(row('a'));
      store.lookSoon();
      await settled();
      assert.equal(store.listing.kind, 'listed');
      assert.equal(store.needsUser, false);
      await clock.advance(TRANSITION);
      assert.ok(lists() > before + 1);
    });
  }

  it('looks at once when the window comes back, but only if somebody needs it', async (t) => {
    const { lists, store } = storeOver(t, () => listed(row('a')));
    store.lookSoon();
    await settled();
    assert.equal(lists(), 0);
    store.watch();
    store.lookSoon();
    await settled();
    assert.equal(lists(), 1);
  });

  it('is not held up by a listener that throws', async (t) => {
    const thrown: (() => void)[] = [];
    t.mock.method(globalThis, 'queueMicrotask', (callback: () => void) => thrown.push(callback));
    const { clock, lists, store } = storeOver(t, () => listed(row('a')));
    store.onChange(() => {
      throw new Error('a view was disposed');
    });
    store.watch();
    assert.equal((await store.refresh()).kind, 'ok');
    await clock.advance(STEADY);
    assert.equal(lists(), 2);
    assert.ok(thrown.length > 0);
  });
});

describe('the end', () => {
  it('in the middle of a list: it is called off, and nothing is told any more', async (t) => {
    const { promise, resolve } = deferred<RunResult>();
    let signal: AbortSignal | undefined;
    const { changes, clock, store } = storeOver(t, () => promise, {
      'ls --json': (_, options) => {
        signal = options.signal;
        return promise;
      },
    });
    const refreshing = store.refresh();
    await settled();
    store.dispose();
    assert.equal(signal?.aborted, true);
    resolve({ kind: 'cancelled' });
    assert.deepEqual(await refreshing, { kind: 'cancelled' });
    assert.deepEqual(changes, []);
    assert.equal(clock.waiting, 0);
  });

  it('makes the last list no answer: nothing is run on the word of an old one', async (t) => {
    const { store } = storeOver(t, () => listed(row('a')));
    await store.refresh();
    store.dispose();
    assert.deepEqual(await store.refresh(), { kind: 'cancelled' });
  });
});

describe('forgetting', () => {
  it('removes all, as after a change of account', async (t) => {
    const { changes, store } = storeOver(t, () => listed(row('a')));
    await store.refresh();
    changes.splice(0);
    store.forget();
    assert.equal(store.listing.kind, 'unknown');
    assert.deepEqual(
      changes[0]?.removed.map(({ name }) => name),
      ['a'],
    );
  });

  it('drops the list of the old account that was under way', async (t) => {
    const answers = [deferred<RunResult>(), deferred<RunResult>()];
    const queue = [...answers];
    const { store } = storeOver(t, () => queue.shift()?.promise ?? listed());
    const before = store.refresh();
    await settled();
    store.forget();
    const after = store.refresh();
    answers[0]?.resolve(listed(row('old')));
    await before;
    assert.deepEqual(names(store), []);
    answers[1]?.resolve(listed(row('new')));
    await after;
    assert.deepEqual(names(store), ['new']);
  });
});

describe('a name', () => {
  it('is waited for until it is free', async (t) => {
    let rows = [row('a', { status: 'DELETING' }), row('b')];
    const { clock, store } = storeOver(t, () => listed(...rows));
    const waiting = store.whenNameIsFree('a', new AbortController().signal);
    await clock.advance(3 * TRANSITION);
    rows = [row('b')];
    await clock.advance(TRANSITION);
    assert.equal(await waiting, true);
    assert.equal(await store.whenNameIsFree('c', new AbortController().signal), true);
  });

  it('is waited for no longer than somebody wants it', async (t) => {
    const { clock, lists, store } = storeOver(t, () => listed(row('a')));
    const abort = new AbortController();
    const waiting = store.whenNameIsFree('a', abort.signal);
    await clock.advance(TRANSITION);
    abort.abort();
    assert.equal(await waiting, false);
    assert.equal(await store.whenNameIsFree('a', AbortSignal.abort()), false);
    const before = lists();
    await clock.advance(3_600_000);
    assert.ok(lists() <= before + 1);
  });

  it('is not free because the list failed', async (t) => {
    const answers = [OFFLINE, listed(row('a')), OFFLINE, listed(row('b'))];
    const { clock, store } = storeOver(t, () => answers.shift() ?? OFFLINE);
    let free = false;
    void store.whenNameIsFree('a', new AbortController().signal).then((result) => {
      free = result;
    });
    await settled();
    assert.equal(free, false);
    await clock.advance(2 * TRANSITION);
    assert.equal(free, false);
    await clock.advance(TRANSITION);
    assert.equal(free, true);
  });
});
