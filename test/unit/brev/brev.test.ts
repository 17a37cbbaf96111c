import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AutomaticSignIn, Brev, type BrevOptions } from '../../../src/brev/brev.ts';
import { create } from '../../../src/brev/create.ts';
import { DialectProbe } from '../../../src/brev/dialect.ts';
import { exec } from '../../../src/brev/exec.ts';
import { loginWithToken } from '../../../src/brev/login.ts';
import { ls } from '../../../src/brev/ls.ts';
import type { RunOptions, RunResult } from '../../../src/process/run.ts';
import { message } from '../../../src/values/message.ts';
import { failed, type Outcome, ok } from '../../../src/values/outcome.ts';
import { settled } from '../../support/fake-clock.ts';
import { failing, LOGGED_OUT, listed, printed, RecordedCli, row } from './recordedCli.ts';

function resultOf<T>(outcome: Outcome<T>): T {
  assert.ok(outcome.kind === 'ok', JSON.stringify(outcome));
  return outcome.value;
}

function failureOf(outcome: Outcome<unknown>) {
  assert.ok(outcome.kind === 'failed', outcome.kind);
  return outcome.failure;
}

const CREATE = resultOf(
  create(
    { name: 'a', types: [{ type: 'g5.xlarge', gpu: undefined }] },
    { createBy: '--type', placementFlags: false },
  ),
);

describe('a command', () => {
  it('runs in an empty folder, with its time limit and without a shell in sight', async () => {
    const cli = new RecordedCli(() => listed(row('a')));
    assert.equal(resultOf(await cli.brev.execute(ls())).rows[0]?.name, 'a');
    assert.deepEqual(cli.calls, [['ls', '--json']]);
    const [options] = cli.options;
    assert.equal(options?.cwd, '/nowhere');
    assert.equal(options?.timeoutMs, ls().timeoutMs);
    assert.equal(options?.input, undefined);
  });

  it('that only reads is repeated once after the fault that passes by itself', async () => {
    const answers = [failing('unexpected end of JSON input\n'), listed(row('a'))];
    const cli = new RecordedCli(() => answers.shift() ?? failing('too often'));
    assert.equal((await cli.brev.execute(ls())).kind, 'ok');
    assert.equal(cli.calls.length, 2);
    const broken = new RecordedCli(() => failing('unexpected end of JSON input\n'));
    assert.equal(failureOf(await broken.brev.execute(ls())).kind, 'unreadableAnswer');
    assert.equal(broken.calls.length, 2);
  });

  it('that does something is never repeated', async () => {
    const cli = new RecordedCli(() => failing('unexpected end of JSON input\n'));
    await cli.brev.execute(CREATE);
    await cli.brev.execute(resultOf(exec('gpu1', 'echo ok', 1_000)));
    assert.equal(cli.calls.length, 2);
  });

  it('is cancelled without being an error', async () => {
    const cli = new RecordedCli(() => ({ kind: 'cancelled' }));
    assert.deepEqual(await cli.brev.execute(ls(), AbortSignal.abort()), { kind: 'cancelled' });
    assert.deepEqual(await cli.brev.execute(ls()), { kind: 'cancelled' });
  });

  it('has a sentence for each way of not being run', async () => {
    const cases: readonly [RunResult, string][] = [
      [{ kind: 'notFound', program: '/x/brev' }, 'cliMissing'],
      [{ kind: 'notExecutable', program: '/x/brev', reason: 'EACCES' }, 'cliNotExecutable'],
      [{ kind: 'timedOut', timeoutMs: 30_000, stdout: '', stderr: '', truncated: false }, 'timedOut'],
      [
        { kind: 'failed', exitCode: null, signal: 'SIGKILL', stdout: '', stderr: '', truncated: false },
        'unexpected',
      ],
      [failing('no orgs exist\n'), 'noOrganisation'],
      [printed(''), 'unreadableAnswer'],
      [printed('<html>502 Bad Gateway</html>'), 'unreadableAnswer'],
    ];
    for (const [result, kind] of cases) {
      const cli = new RecordedCli(() => result);
      assert.equal(failureOf(await cli.brev.execute(ls())).kind, kind);
    }
  });

  it('that hangs may be repeated only if it reads', async () => {
    const cli = new RecordedCli(() => ({
      kind: 'timedOut',
      timeoutMs: 1,
      stdout: '',
      stderr: '',
      truncated: false,
    }));
    assert.equal(failureOf(await cli.brev.execute(ls())).retrySafe, true);
    assert.equal(failureOf(await cli.brev.execute(CREATE)).retrySafe, false);
  });

  it('users C: NemoClaw#8924/#444 that hangs is in the log with the version of the CLI', async () => {
    const cli = new RecordedCli(() => ({
      kind: 'timedOut',
      timeoutMs: 1,
      stdout: '',
      stderr: '\u001b[32m\r⣷ waiting for SSH connection to be available\u001b[0m',
      truncated: false,
    }));
    await cli.brev.execute(ls());
    await settled();
    assert.match(cli.log.join('\n'), /^brev ls: timedOut, CLI 0\.6\.327$/m);
    assert.ok(!cli.log.join().includes('\u001b'));
  });

  it('that a signed-out CLI answers with its prompt and exit 0 is known as that', async () => {
    const cli = new RecordedCli(() =>
      printed('You are currently logged out, would you like to log in? [Y/n]: '),
    );
    assert.equal(failureOf(await cli.brev.execute(ls())).kind, 'signedOut');
  });

  it('that is answered with half a list is unreadable, whatever stands in the half', async () => {
    const whole = JSON.stringify(
      { workspaces: [row('unauthorized'), row('placement 403 panic: x')] },
      null,
      2,
    );
    const cli = new RecordedCli(() => printed(whole.slice(0, -20)));
    assert.equal(failureOf(await cli.brev.execute(ls())).kind, 'unreadableAnswer');
  });

  it('whose failure nobody foresaw is an outcome too, and in the log', async () => {
    const log: string[] = [];
    const broken = (options: Partial<BrevOptions>) =>
      new Brev({ ...optionsFor(() => listed()), log: (line) => log.push(line), ...options });
    const reject = async (): Promise<never> => {
      throw new Error('EROFS: read-only file system');
    };
    for (const brev of [
      broken({ workingDirectory: reject }),
      broken({ session: () => ({ ...signIn(), beforeCall: reject }) }),
      broken({ run: reject }),
    ]) {
      assert.equal(failureOf(await brev.execute(ls())).kind, 'localFile');
    }
    const gone = broken({ locate: async () => ok('/nonexistent/brev') });
    assert.equal(failureOf(await gone.dialect()).kind, 'localFile');
    assert.ok(log.some((line) => line.includes('EROFS')));
  });
});

describe('a stream', () => {
  it('hands stdout over and tells how the call ended', async () => {
    const cli = new RecordedCli((_, options) => {
      options.onStdout?.(Buffer.from('bytes'));
      return failing('exit status 255\n');
    });
    const chunks: string[] = [];
    const outcome = await cli.brev.stream(resultOf(exec('gpu1', 'x', 1_000)), (chunk) =>
      chunks.push(Buffer.from(chunk).toString()),
    );
    assert.deepEqual(chunks, ['bytes']);
    assert.equal(failureOf(outcome).kind, 'unreachable');
  });

  it('says why there is none', async () => {
    const missing = failed({ kind: 'cliMissing', message: message('x'), retrySafe: true });
    const brev = new Brev({ ...optionsFor(() => printed('')), locate: async () => missing });
    assert.equal(failureOf(await brev.stream(ls(), () => undefined)).kind, 'cliMissing');
  });
});

function optionsFor(answer: (options: RunOptions) => RunResult, session?: AutomaticSignIn): BrevOptions {
  const run = async (_: string, options: RunOptions) => answer(options);
  return {
    run,
    locate: async () => ok(process.execPath),
    environment: () => ({}),
    workingDirectory: async () => '/nowhere',
    log: () => undefined,
    dialects: new DialectProbe(run, () => ({})),
    session: () => session,
  };
}

/** A session that notes what it is asked. */
function signIn(again = true) {
  const asked: string[] = [];
  return {
    asked,
    beforeCall: async () => {
      asked.push('before');
    },
    signInAgain: async () => {
      asked.push('again');
      return again;
    },
    failure: () => ({ kind: 'tokenStale', message: message('stale'), retrySafe: true }) as const,
  };
}

describe('signing in by itself', () => {
  it('happens once, and then the call is repeated once', async () => {
    const session = signIn();
    const answers = [LOGGED_OUT, listed(row('a'))];
    const calls: string[] = [];
    const brev = new Brev(
      optionsFor(({ args }) => {
        calls.push(args.join(' '));
        return answers.shift() ?? failing('too often');
      }, session),
    );
    assert.equal((await brev.execute(ls())).kind, 'ok');
    assert.deepEqual(session.asked, ['before', 'again']);
    assert.deepEqual(calls, ['ls --json', 'ls --json']);
  });

  it('that does not help is called a stale token, after exactly one more try', async () => {
    let calls = 0;
    const session = signIn();
    const brev = new Brev(
      optionsFor(() => {
        calls++;
        return LOGGED_OUT;
      }, session),
    );
    assert.equal(failureOf(await brev.execute(ls())).kind, 'tokenStale');
    assert.equal(calls, 2);
    assert.deepEqual(session.asked, ['before', 'again']);
  });

  it('that cannot be done repeats nothing', async () => {
    let calls = 0;
    const brev = new Brev(
      optionsFor(() => {
        calls++;
        return LOGGED_OUT;
      }, signIn(false)),
    );
    assert.equal(failureOf(await brev.execute(ls())).kind, 'tokenStale');
    assert.equal(calls, 1);
  });

  it('is not tried for what is no matter of signing in', async () => {
    for (const result of [
      failing('403: no permission\n'),
      failing('Get "https://x": EOF\n'),
      failing('dial tcp: x\n'),
      listed(),
    ]) {
      const session = signIn();
      const brev = new Brev(optionsFor(() => result, session));
      await brev.execute(ls());
      assert.deepEqual(session.asked, ['before']);
    }
  });

  it('does not repeat a create whose connection broke', async () => {
    const session = signIn();
    let calls = 0;
    const brev = new Brev(
      optionsFor(() => {
        calls++;
        return failing('EOF\n');
      }, session),
    );
    assert.equal(failureOf(await brev.execute(CREATE)).kind, 'createOutcomeUnknown');
    assert.equal(calls, 1);
  });

  it('does not go round in circles: a sign-in is no reason to sign in', async () => {
    const session = signIn();
    const brev = new Brev(optionsFor(() => LOGGED_OUT, session));
    assert.equal(failureOf(await brev.execute(loginWithToken('t'))).kind, 'signedOut');
    assert.deepEqual(session.asked, []);
  });
});
