import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { BrevPlatform } from '../../../../src/platforms/brev/brevPlatform.ts';
import type { FollowEnd, FollowSink, JobEnd, SubmitStep } from '../../../../src/platforms/platform.ts';
import type { RemoteAnswer, RemoteFile, RemoteScript, RemoteShell } from '../../../../src/remote/shell.ts';
import type { Failure } from '../../../../src/values/failure.ts';
import { inEnglish, message } from '../../../../src/values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../../../../src/values/outcome.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeClock, settled } from '../../../support/fake-clock.ts';
import { NO_SECRETS, SPEC, TARGET } from './dockerMachine.ts';

const OFF: Failure = {
  kind: 'instanceNotRunning',
  message: message('gpu1 is not running'),
  retrySafe: false,
};
const BROKEN: Failure = { kind: 'unreachable', message: message('broken'), retrySafe: true };
const STALL_MS = 30_000;

/** A shell that the test plays, and what came by it. */
class PlayedShell implements RemoteShell {
  readonly route = 'exec';
  readonly scripts: RemoteScript[] = [];
  readonly uploads: RemoteFile[][] = [];
  answer: Outcome<RemoteAnswer> = ok({ exitCode: 0, stdout: '' });
  uploaded: Outcome<void> = ok(undefined);
  /** The stream's output, and the order to end it. */
  say: (text: string) => void = () => undefined;
  signal: AbortSignal | undefined;
  readonly #ended = deferred<Outcome<void>>();

  readonly end = (outcome: Outcome<void> = ok(undefined)): void => this.#ended.resolve(outcome);

  async run(script: RemoteScript): Promise<Outcome<RemoteAnswer>> {
    this.scripts.push(script);
    return this.answer;
  }

  async upload(files: readonly RemoteFile[]): Promise<Outcome<void>> {
    this.uploads.push([...files]);
    return this.uploaded;
  }

  download(): Promise<Outcome<number>> {
    return Promise.reject(new Error('not played'));
  }

  async stream(
    script: RemoteScript,
    onStdout: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<Outcome<void>> {
    this.scripts.push(script);
    this.say = (text) => onStdout(Buffer.from(text));
    this.signal = signal;
    signal.addEventListener('abort', () => this.end(cancelled), { once: true });
    return this.#ended.promise;
  }
}

function platform(shell: Outcome<RemoteShell> | (() => Promise<Outcome<RemoteShell>>)) {
  const clock = new FakeClock();
  const get = typeof shell === 'function' ? shell : async () => shell;
  return { clock, platform: new BrevPlatform({ clock, shell: get }) };
}

async function following(shell = new PlayedShell()) {
  const its = platform(ok(shell));
  const abort = new AbortController();
  const heard: string[] = [];
  const sink: FollowSink = {
    onBytes: (stream, offset, bytes) => heard.push(`${stream} ${offset} ${Buffer.from(bytes).toString()}`),
    onTruncated: (stream, size) => heard.push(`${stream} cut to ${size}`),
    onStep: (step) => heard.push(`step ${step}`),
  };
  let end: FollowEnd | undefined;
  const done = its.platform.follow(TARGET, { log: 7, status: 3 }, sink, abort.signal).then((result) => {
    end = result;
  });
  await settled();
  return { ...its, abort, done, heard, shell, end: () => end };
}

const FINISH = '@brev finish 1-1 0\nstep=run\nexit=0\noom=false\nerror=\n@brev end 1-1\n';

describe('submitting to an instance', () => {
  it('uploads, then launches, and says how far it is', async () => {
    const shell = new PlayedShell();
    const steps: SubmitStep[] = [];
    const { platform: its } = platform(ok(shell));
    const outcome = await its.submit({
      target: TARGET,
      work: SPEC,
      secrets: NO_SECRETS,
      onStep: (step) => steps.push(step),
      signal: new AbortController().signal,
    });
    assert.deepEqual(outcome, { kind: 'ok', value: { backendRef: `gpu1/${TARGET.jobId}` } });
    assert.deepEqual(steps, ['checking', 'uploading', 'launching']);
    assert.equal(shell.scripts.length, 1);
    assert.equal(shell.scripts[0]?.args[0], TARGET.jobId);
    for (const { path } of shell.uploads.flat()) {
      assert.ok(path.startsWith(`.brev-jobs/${TARGET.jobId}/`), path);
    }
  });

  it('puts no secret on a command line or into a file', async () => {
    const shell = new PlayedShell();
    const { platform: its } = platform(ok(shell));
    await its.submit({
      target: TARGET,
      work: SPEC,
      secrets: { environment: new Map([['HF_TOKEN', 'hf_verysecret']]), ngcKey: 'nvapi-verysecret' },
      onStep: () => undefined,
      signal: new AbortController().signal,
    });
    const all =
      JSON.stringify(shell.scripts) +
      shell.uploads
        .flat()
        .map(({ content }) => Buffer.from(content).toString())
        .join('');
    assert.doesNotMatch(all, /verysecret/);
  });

  it('goes no further than its first failure', async () => {
    for (const [change, kind, scripts] of [
      [(shell: PlayedShell) => shell, 'ok', 1],
      [(shell: PlayedShell) => Object.assign(shell, { uploaded: failed(BROKEN) }), 'unreachable', 0],
      [(shell: PlayedShell) => Object.assign(shell, { uploaded: cancelled }), 'cancelled', 0],
      [(shell: PlayedShell) => Object.assign(shell, { answer: failed(BROKEN) }), 'unreachable', 1],
      [
        (shell: PlayedShell) =>
          Object.assign(shell, { answer: ok({ exitCode: 1, stdout: 'mkdir: cannot\n' }) }),
        'remoteFailed',
        1,
      ],
      [
        (shell: PlayedShell) =>
          Object.assign(shell, { answer: ok({ exitCode: 1, stdout: 'x: No space left on device\n' }) }),
        'diskFull',
        1,
      ],
    ] as const) {
      const shell = change(new PlayedShell());
      const { platform: its } = platform(ok(shell));
      const outcome = await its.submit({
        target: TARGET,
        work: SPEC,
        secrets: NO_SECRETS,
        onStep: () => undefined,
        signal: new AbortController().signal,
      });
      assert.equal(outcome.kind === 'failed' ? outcome.failure.kind : outcome.kind, kind);
      assert.equal(shell.scripts.length, scripts, kind);
    }
  });

  it('does nothing on an instance that is not on', async () => {
    const { platform: its } = platform(failed(OFF));
    const outcome = await its.submit({
      target: TARGET,
      work: SPEC,
      secrets: NO_SECRETS,
      onStep: () => undefined,
      signal: new AbortController().signal,
    });
    assert.ok(outcome.kind === 'failed');
    assert.equal(outcome.failure, OFF);
    assert.equal((await its.cancel(TARGET, new AbortController().signal)).kind, 'failed');
  });
});

describe('following on an instance', () => {
  it('asks from the offsets on and hands over what comes', async () => {
    const its = await following();
    assert.deepEqual(its.shell.scripts[0]?.args, [TARGET.jobId, '7', '3']);
    its.shell.say('\n@brev beat 1-1 0 pull\n@brev frame 1-1 0 log 7 3\nabc\n@brev end 1-1\n');
    its.shell.say('@brev frame 1-1 0 status 3 2\n{}\n@brev end 1-1\n@brev truncated 1-1 0 log 5\n');
    its.shell.say(FINISH);
    its.shell.end();
    await its.done;
    assert.deepEqual(its.heard, ['step pull', 'log 7 abc', 'status 3 {}', 'log cut to 5']);
    const expected: JobEnd = { exitCode: 0, step: 'run', outOfMemory: false, error: '' };
    assert.deepEqual(its.end(), { kind: 'finished', end: expected });
  });

  it('ends with the end frame although the connection failed', async () => {
    const its = await following();
    its.shell.say(FINISH);
    its.shell.end(failed(BROKEN));
    await its.done;
    assert.equal(its.end()?.kind, 'finished');
  });

  it('reads only what an end can be, and takes everything else for lost', async () => {
    for (const [result, expected] of [
      ['step=run\nexit=137\noom=true\nerror=', { exitCode: 137, step: 'run', outOfMemory: true, error: '' }],
      [
        'step=pull\nexit=125\noom=false\nerror=a=b',
        { exitCode: 125, step: 'pull', outOfMemory: false, error: 'a=b' },
      ],
      [
        'step=cancel\nexit=\noom=false\nerror=',
        { exitCode: undefined, step: 'cancel', outOfMemory: false, error: '' },
      ],
      ['', { exitCode: undefined, step: 'lost', outOfMemory: false, error: '' }],
      [
        'step=rm -rf\nexit=-1\noom=maybe',
        { exitCode: undefined, step: 'lost', outOfMemory: false, error: '' },
      ],
    ] as const) {
      const its = await following();
      its.shell.say(`@brev finish 1-1 0\n${result}\n@brev end 1-1\n`);
      its.shell.end();
      await its.done;
      const end = its.end();
      assert.ok(end?.kind === 'finished');
      assert.deepEqual(end.end, expected);
    }
  });

  it('is disconnected, not finished, whenever the connection ends without an end', async () => {
    for (const [outcome, reason] of [
      [ok(undefined), /ended/],
      [failed(BROKEN), /broken/],
    ] as const) {
      const its = await following();
      its.shell.say('@brev frame 1-1 0 log 7 100\nhalf');
      its.shell.end(outcome);
      await its.done;
      const end = its.end();
      assert.ok(end?.kind === 'disconnected');
      assert.match(end.reason, reason);
    }
    const { platform: off } = platform(failed(OFF));
    const end = await off.follow(
      TARGET,
      { log: 0, status: 0 },
      { onBytes: () => undefined, onTruncated: () => undefined, onStep: () => undefined },
      new AbortController().signal,
    );
    assert.ok(end.kind === 'disconnected');
    assert.equal(end.reason, inEnglish(OFF.message));
  });

  it('gives a connection up that says nothing any more, and only that one', async () => {
    const its = await following();
    for (let count = 0; count < 10; count++) {
      await its.clock.advance(STALL_MS - 1_000);
      // part of a frame over a slow link is a sign of life too
      its.shell.say(count === 0 ? '@brev frame 1-1 0 log 7 1000\n' : 'x');
      assert.equal(its.end(), undefined);
    }
    await its.clock.advance(STALL_MS);
    await its.done;
    const end = its.end();
    assert.ok(end?.kind === 'disconnected');
    assert.match(end.reason, /stalled/);
    assert.equal(its.shell.signal?.aborted, true);
    assert.equal(its.clock.waiting, 0);
  });

  it('believes nothing after a frame that was cut', async () => {
    const its = await following();
    its.shell.say(
      '@brev frame 1-1 0 log 7 3\nabcdefgh\n@brev beat 2-2 0 run\n@brev frame 2-2 0 log 7 3\nabc\n@brev end 2-2\n',
    );
    await its.done;
    const end = its.end();
    assert.ok(end?.kind === 'disconnected');
    assert.match(end.reason, /cut/);
    assert.deepEqual(its.heard, []);
  });

  it('ends at once when called off, and leaves nothing behind', async () => {
    const its = await following();
    its.abort.abort();
    await its.done;
    assert.deepEqual(its.end(), { kind: 'cancelled' });
    assert.equal(its.clock.waiting, 0);
    assert.equal(getEventListeners(its.abort.signal, 'abort').length, 0);
  });

  it('never begins when called off while it waits for a shell', async () => {
    const waiting = deferred<Outcome<RemoteShell>>();
    const shell = new PlayedShell();
    const { platform: its } = platform(() => waiting.promise);
    const abort = new AbortController();
    const done = its.follow(
      TARGET,
      { log: 0, status: 0 },
      { onBytes: () => undefined, onTruncated: () => undefined, onStep: () => undefined },
      abort.signal,
    );
    abort.abort();
    waiting.resolve(ok(shell));
    assert.deepEqual(await done, { kind: 'cancelled' });
    assert.equal(shell.scripts.length, 0);
  });
});

describe('cancelling on an instance', () => {
  it('is done only when the instance says that nothing runs', async () => {
    for (const [answer, kind] of [
      [ok({ exitCode: 0, stdout: 'stopped\n' }), 'ok'],
      [ok({ exitCode: 1, stdout: 'running\n' }), 'remoteFailed'],
      [failed(BROKEN), 'unreachable'],
      [cancelled, 'cancelled'],
    ] as const) {
      const shell = new PlayedShell();
      shell.answer = answer;
      const outcome = await platform(ok(shell)).platform.cancel(TARGET, new AbortController().signal);
      assert.equal(outcome.kind === 'failed' ? outcome.failure.kind : outcome.kind, kind);
      assert.equal(shell.scripts[0]?.args[0], TARGET.jobId);
      if (outcome.kind === 'failed' && outcome.failure.kind === 'remoteFailed') {
        assert.match(inEnglish(outcome.failure.message), /may still be running, and billing/);
      }
    }
  });
});
