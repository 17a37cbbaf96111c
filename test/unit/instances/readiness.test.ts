import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Readiness, type ReadinessProgress, waitUntilReady } from '../../../src/instances/readiness.ts';
import type { RunResult } from '../../../src/process/run.ts';
import { inEnglish } from '../../../src/values/message.ts';
import { settled } from '../../support/fake-clock.ts';
import { failing, LOGGED_OUT, listed, printed } from '../brev/recordedCli.ts';
import { MINUTE, REFUSED, SETTINGS, StartingCloud } from './startingCloud.ts';

/** Waits for `a`, for as long as it may take. */
async function wait(cloud: StartingCloud, forMs = 60 * MINUTE, signal = new AbortController().signal) {
  const progress: ReadinessProgress[] = [];
  let ended: Readiness | undefined;
  let tookMs: number | undefined;
  void waitUntilReady(cloud.options, 'id-a', (each) => progress.push(each), signal).then((readiness) => {
    ended = readiness;
    tookMs = cloud.elapsed;
  });
  await cloud.clock.advance(forMs);
  return { ended, progress, tookMs };
}

function reason(ended: Readiness | undefined): { readonly kind: string; readonly sentence: string } {
  assert.ok(ended?.kind === 'notReady', JSON.stringify(ended));
  return { kind: ended.because.kind, sentence: inEnglish(ended.because.message) };
}

describe('waiting until an instance is ready', () => {
  it('takes a command that ran for the proof, not RUNNING, and tells its way', async (t) => {
    const cloud = new StartingCloud(t);
    cloud.list = (ms) =>
      ms < 2 * MINUTE
        ? { status: 'DEPLOYING', build_status: 'PENDING', shell_status: 'NOT READY' }
        : { status: 'RUNNING', build_status: ms < 3 * MINUTE ? 'BUILDING' : 'COMPLETED' };
    cloud.exec = (ms) => (ms < 4 * MINUTE ? REFUSED : printed('@ok\na\n'));
    const { ended, progress, tookMs } = await wait(cloud);
    assert.ok(ended?.kind === 'ready');
    assert.equal(tookMs, 4 * MINUTE);
    assert.equal(ended.tookMs, 4 * MINUTE);
    assert.equal(ended.instance.name, 'a');
    assert.deepEqual(
      Object.keys(ended.timeline).sort((a, b) => a.localeCompare(b)),
      ['built', 'created', 'provisioning', 'ready', 'running', 'shell'],
    );
    const kinds = progress.map(({ kind }) => kind);
    assert.equal(kinds.indexOf('probing'), kinds.filter((kind) => kind === 'provisioning').length);
    const last = progress.at(-1);
    assert.ok(last?.kind === 'probing' && last.attempts > 20);
  });

  it('never runs a command on what the fresh list does not show as on', async (t) => {
    for (const status of [
      'STOPPED',
      'STOPPING',
      'STARTING',
      'DEPLOYING',
      'FAILURE',
      'DELETING',
      'HIBERNATING',
      '',
    ]) {
      const cloud = new StartingCloud(t);
      cloud.list = () => ({ status });
      await wait(cloud);
      assert.deepEqual(cloud.execsIn, [], status);
    }
    const flapping = new StartingCloud(t);
    flapping.list = (ms) => ({ status: Math.floor(ms / 7_000) % 2 === 0 ? 'RUNNING' : 'STARTING' });
    flapping.exec = () => REFUSED;
    await wait(flapping);
    assert.ok(flapping.execsIn.length > 0);
    assert.deepEqual(new Set(flapping.execsIn), new Set(['RUNNING']));
  });

  it('lists before each probe, and runs nothing while the list fails', async (t) => {
    const cloud = new StartingCloud(t);
    cloud.exec = () => REFUSED;
    cloud.list = (ms) => (ms > 20_000 && ms < 40_000 ? failing('dial tcp: x\n') : {});
    const seen: number[] = [];
    cloud.exec = (ms) => {
      seen.push(ms);
      return REFUSED;
    };
    await wait(cloud, 60_000);
    assert.ok(seen.length >= 8);
    assert.ok(!seen.some((ms) => ms > 20_000 && ms < 40_000), seen.join());
    assert.ok(cloud.cli.count('ls', '--json') >= cloud.cli.count('exec'));
  });

  it('probes an unhealthy machine too: it is on, and bills', async (t) => {
    const cloud = new StartingCloud(t);
    cloud.list = () => ({ status: 'UNHEALTHY', health_status: 'UNHEALTHY' });
    assert.equal((await wait(cloud)).ended?.kind, 'ready');
  });

  it('probes with two words in one argument, by name, and with a time limit that a slow link can meet', async (t) => {
    const cloud = new StartingCloud(t);
    await wait(cloud);
    const [exec] = cloud.cli.calls.filter(([command]) => command === 'exec');
    assert.equal(exec?.length, 3);
    assert.equal(exec?.[1], 'a');
    assert.match(exec?.[2] ?? '', /^\S+ \S+$/);
    const timeoutMs = cloud.cli.options.at(-1)?.timeoutMs ?? 0;
    assert.ok(timeoutMs >= 10_000 && timeoutMs <= 60_000);
  });

  it('takes no other answer for the probe: neither silence nor the name that the CLI adds', async (t) => {
    for (const stdout of ['', 'a\n', 'ok\n', 'Agent pid 7\na\n', 'bash: echo: not found\na\n']) {
      const cloud = new StartingCloud(t);
      cloud.exec = () => printed(stdout);
      const { ended } = await wait(cloud);
      assert.equal(ended?.kind, 'notReady', stdout);
    }
    const named = new StartingCloud(t, 'ok');
    named.exec = () => printed('ok\n');
    assert.equal((await wait(named)).ended?.kind, 'notReady');
    const old = new StartingCloud(t);
    old.exec = () => printed('Agent pid 4711\n@ok\na\n');
    assert.equal((await wait(old)).ended?.kind, 'ready');
  });
});

describe('waiting in vain', () => {
  it('ends by its deadline, counted from RUNNING, and says which signals are missing', async (t) => {
    const cloud = new StartingCloud(t);
    cloud.list = (ms) =>
      ms < 10 * MINUTE
        ? { status: 'DEPLOYING' }
        : { status: 'RUNNING', build_status: '', shell_status: 'NOT READY', health_status: 'HEALTHY' };
    cloud.exec = () => REFUSED;
    const { ended, tookMs } = await wait(cloud);
    const { kind, sentence } = reason(ended);
    assert.equal(kind, 'unreachable');
    assert.match(sentence, /^a is running, and billing/);
    assert.match(sentence, /within 5 min/);
    assert.match(sentence, /build: never started/);
    assert.match(sentence, /shell: NOT READY/);
    assert.ok(tookMs !== undefined && tookMs >= 15 * MINUTE && tookMs <= 16 * MINUTE, String(tookMs));
  });

  it('ends when provisioning takes too long, and offers another machine', async (t) => {
    const cloud = new StartingCloud(t);
    cloud.list = () => ({ status: 'DEPLOYING' });
    const { ended, tookMs } = await wait(cloud);
    assert.equal(reason(ended).kind, 'stuckProvisioning');
    assert.match(reason(ended).sentence, /20 min.*may be billing/);
    assert.ok(tookMs !== undefined && tookMs <= SETTINGS.stuckMs + MINUTE);
  });

  it('ends for a machine that goes up and down for ever', async (t) => {
    const cloud = new StartingCloud(t);
    cloud.list = (ms) => ({ status: Math.floor(ms / 20_000) % 2 === 0 ? 'RUNNING' : 'STARTING' });
    cloud.exec = () => REFUSED;
    const { ended, tookMs } = await wait(cloud);
    assert.equal(ended?.kind, 'notReady');
    assert.ok(tookMs !== undefined && tookMs <= SETTINGS.stuckMs + 2 * MINUTE);
  });

  it('ends at once for what will not become ready by itself', async (t) => {
    for (const [status, kind, says] of [
      ['FAILURE', 'createFailed', /a failed to start/],
      ['STOPPED', 'instanceNotRunning', /a is STOPPED/],
    ] as const) {
      const cloud = new StartingCloud(t);
      cloud.list = (ms) => ({ status: ms < 30_000 ? 'STARTING' : status });
      const { ended, tookMs } = await wait(cloud);
      assert.equal(reason(ended).kind, kind);
      assert.match(reason(ended).sentence, says);
      assert.equal(tookMs, 30_000);
    }
  });

  it('ends when the instance vanishes', async (t) => {
    const cloud = new StartingCloud(t);
    cloud.list = (ms) => (ms < 30_000 ? { status: 'DEPLOYING' } : undefined);
    const { ended } = await wait(cloud);
    assert.equal(reason(ended).kind, 'instanceNotFound');
  });

  it('does not take an unconfirmed empty list for vanishing', async (t) => {
    const cloud = new StartingCloud(t);
    const orgless = failing('no orgs exist\n');
    cloud.list = (ms) =>
      ms < 30_000 || ms > 60_000 ? { status: ms > 60_000 ? 'RUNNING' : 'DEPLOYING' } : listed();
    const { answer } = cloud.cli;
    cloud.cli.answer = (args, options) => (args[1] === 'orgs' ? orgless : answer(args, options));
    assert.equal((await wait(cloud)).ended?.kind, 'ready');
  });

  it('ends at once for a name that must not reach a shell', async (t) => {
    const cloud = new StartingCloud(t, 'a; rm -rf ~ #');
    const { ended } = await wait(cloud);
    assert.equal(reason(ended).kind, 'unusableName');
    assert.equal(cloud.cli.count('exec'), 0);
  });

  it('ends at once when only the user can help', async (t) => {
    for (const [answer, kind] of [
      [LOGGED_OUT, 'signedOut'],
      [{ kind: 'notFound', program: 'x' }, 'cliMissing'],
    ] as const) {
      const cloud = new StartingCloud(t);
      cloud.list = (ms) => (ms < 30_000 ? { status: 'DEPLOYING' } : answer);
      const { ended, tookMs } = await wait(cloud);
      assert.equal(reason(ended).kind, kind);
      assert.equal(tookMs, 30_000);
    }
  });

  it('says that nothing could be listed, and not what an old list showed', async (t) => {
    const cloud = new StartingCloud(t);
    cloud.list = (ms) => (ms < 30_000 ? { status: 'DEPLOYING' } : failing('dial tcp: no such host\n'));
    const { ended } = await wait(cloud);
    assert.equal(reason(ended).kind, 'offline');
  });
});

describe('waiting no longer', () => {
  const hang = (signal: AbortSignal | undefined) =>
    new Promise<RunResult>((resolve) => {
      signal?.addEventListener('abort', () => resolve({ kind: 'cancelled' }));
    });

  for (const [during, exec] of [
    ['a pause', () => REFUSED],
    ['a probe', (_: number, signal?: AbortSignal) => hang(signal)],
  ] as const) {
    it(`ends at once, in the middle of ${during}`, async (t) => {
      const cloud = new StartingCloud(t);
      cloud.exec = exec;
      const abort = new AbortController();
      let ended: Readiness | undefined;
      void waitUntilReady(cloud.options, 'id-a', () => undefined, abort.signal).then((readiness) => {
        ended = readiness;
      });
      await cloud.clock.advance(7_000);
      assert.equal(ended, undefined);
      abort.abort();
      await settled();
      assert.deepEqual(ended, { kind: 'cancelled' });
    });
  }

  it('leaves no timer behind, and nobody who looks often', async (t) => {
    const cloud = new StartingCloud(t);
    await wait(cloud, MINUTE);
    const before = cloud.cli.count('ls', '--json');
    await cloud.clock.advance(60 * MINUTE);
    assert.ok(cloud.cli.count('ls', '--json') <= before + 1);
    assert.equal(cloud.clock.waiting, 0);
  });
});

it('a wait uses the settings as they are when it needs them', async (t: TestContext) => {
  const cloud = new StartingCloud(t);
  cloud.exec = () => REFUSED;
  let settings = SETTINGS;
  let ended: Readiness | undefined;
  void waitUntilReady(
    { ...cloud.options, settings: () => settings },
    'id-a',
    () => undefined,
    new AbortController().signal,
  ).then((readiness) => {
    ended = readiness;
  });
  await cloud.clock.advance(MINUTE);
  settings = { ...SETTINGS, deadlineMs: MINUTE };
  await cloud.clock.advance(10_000);
  assert.equal(ended?.kind, 'notReady');
});
