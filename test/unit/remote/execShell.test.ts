import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ExecShell } from '../../../src/remote/execShell.ts';
import type { RemoteFile } from '../../../src/remote/shell.ts';
import { message } from '../../../src/values/message.ts';
import { failed, type Outcome } from '../../../src/values/outcome.ts';
import { ODD_NAMES } from '../brev/outcomes.ts';
import { printed, RecordedCli } from '../brev/recordedCli.ts';
import { ExecMachine, options } from './execMachine.ts';

/** A command line may have about 128 kB (brev-cli.md part 6). */
const LONGEST = 128 * 1024;

function value<T>(outcome: Outcome<T>): T {
  assert.ok(outcome.kind === 'ok', JSON.stringify(outcome));
  return outcome.value;
}

function shellOn(machine: ExecMachine): ExecShell {
  return new ExecShell(machine.cli.brev, 'gpu1');
}

describe('a script by exec', () => {
  it('answers with its own exit code, and runs once whatever that is', async (t) => {
    const machine = new ExecMachine(t);
    for (const exitCode of [0, 1, 2, 97, 127, 255]) {
      const answer = value(
        await shellOn(machine).run({ text: `echo out; echo err >&2; exit ${exitCode}`, args: [] }, options()),
      );
      assert.deepEqual(answer, { exitCode, stdout: 'out\n' });
    }
    assert.equal(machine.runs, 6);
    assert.equal(
      value(await shellOn(machine).run({ text: 'kill -9 $$', args: [] }, options())).exitCode,
      137,
    );
    assert.equal(
      value(await shellOn(machine).run({ text: 'no-such-command', args: [] }, options())).exitCode,
      127,
    );
    assert.equal(
      value(await shellOn(machine).run({ text: 'syntax ( error', args: [] }, options())).exitCode,
      2,
    );
    assert.equal(machine.runs, 9);
  });

  it('gets its arguments untouched, and no stdin', async (t) => {
    const machine = new ExecMachine(t);
    const args = ['', ' ', "it's", '"q"', 'a\nb', '$(touch pwned)', '`x`', '-n', '学習 🚀', '\\', '*'];
    const text = 'printf "%s\\0" "$@"; cat; printf "home=%s" "$HOME"';
    const { stdout } = value(await shellOn(machine).run({ text, args }, options()));
    assert.deepEqual(stdout.split('\0'), [...args, `home=${machine.home}`]);
    assert.deepEqual(readdirSync(machine.home), []);
  });

  it('is one argument of one exec, whatever is in it', async (t) => {
    const machine = new ExecMachine(t);
    for (const text of ['@x', '-rf', 'echo \'a\'\n# comment\necho "b"']) {
      await shellOn(machine).run({ text, args: ['-x', '@y'] }, options());
    }
    for (const call of machine.cli.calls) {
      assert.equal(call.length, 3);
      assert.doesNotMatch(call[2] ?? '', /^[@-]/);
    }
  });

  it('bears a replay: the answer of the last run counts, wherever the first was cut', async (t) => {
    const machine = new ExecMachine(t);
    for (const afterBytes of [0, 5, 30, 45, 60, 1_000]) {
      machine.breaks = [{ afterBytes }];
      const answer = value(
        await shellOn(machine).run(
          { text: 'echo x >>"$HOME/runs"; wc -l <"$HOME/runs"', args: [] },
          options(),
        ),
      );
      assert.equal(answer.exitCode, 0);
      const runs = readFileSync(path.join(machine.home, 'runs'), 'utf8').split('\n').length - 1;
      assert.equal(answer.stdout.trim(), String(runs));
    }
  });

  it('whose answer is not whole is a broken connection, not a success', async () => {
    for (const stdout of ['', 'gpu1\n', '@@brev-begin x\nok\n']) {
      const cli = new RecordedCli(() => printed(stdout));
      const outcome = await new ExecShell(cli.brev, 'gpu1').run({ text: 'true', args: [] }, options());
      assert.ok(outcome.kind === 'failed');
      assert.equal(outcome.failure.kind, 'unreachable');
    }
  });

  it('is not run on a name that a local shell would read', async () => {
    const cli = new RecordedCli(() => printed(''));
    for (const name of ODD_NAMES) {
      const shell = new ExecShell(cli.brev, name);
      for (const outcome of [
        await shell.run({ text: 'true', args: [] }, options()),
        await shell.stream({ text: 'true', args: [] }, () => undefined, options().signal),
        await shell.upload([{ path: 'a', content: Buffer.from('x') }], options()),
        await shell.run({ text: 'true', args: [] }, { ...options(), input: Buffer.from('x') }),
      ]) {
        assert.ok(outcome.kind === 'failed');
        assert.equal(outcome.failure.kind, 'unusableName');
      }
    }
    assert.deepEqual(cli.calls, []);
  });

  it('is not run on an instance that is not on: exec would start it', async () => {
    const cli = new RecordedCli(() => printed(''));
    const off = failed({ kind: 'instanceNotRunning', message: message('x'), retrySafe: false });
    const shell = new ExecShell(cli.brev, 'gpu1', async () => off);
    for (const outcome of [
      await shell.run({ text: 'true', args: [] }, options()),
      await shell.run({ text: 'true', args: [] }, { ...options(), input: Buffer.from('x') }),
      await shell.stream({ text: 'true', args: [] }, () => undefined, options().signal),
      await shell.upload([{ path: 'a', content: Buffer.from('x') }], options()),
      await shell.download('a', () => undefined, options()),
    ]) {
      assert.equal(outcome.kind, 'failed');
    }
    assert.deepEqual(cli.calls, []);
  });

  it('can be called off', async (t) => {
    const machine = new ExecMachine(t);
    const outcome = await shellOn(machine).run(
      { text: 'true', args: [] },
      { timeoutMs: 1_000, signal: AbortSignal.abort() },
    );
    assert.equal(outcome.kind, 'cancelled');
  });
});

describe('an upload by exec', () => {
  const big = randomBytes(300_000);
  const FILES: readonly RemoteFile[] = [
    { path: '.brev-jobs/a/spec.yaml', content: Buffer.from("train: {name: 'x'}\n") },
    { path: '.brev-jobs/a/empty', content: Buffer.alloc(0) },
    { path: ".brev-jobs/a/it's a $(name)", content: Buffer.from([0, 1, 2, 255, 10, 13]) },
    { path: '.brev-jobs/a/big', content: big },
  ];

  function check(machine: ExecMachine): void {
    for (const { path: file, content } of FILES) {
      const there = path.join(machine.home, file);
      assert.ok(readFileSync(there).equals(content), file);
      assert.equal(statSync(there).mode & 0o777, 0o600, file);
    }
    const folder = path.join(machine.home, '.brev-jobs/a');
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(readdirSync(folder).length, FILES.length, readdirSync(folder).join());
  }

  it('writes files whole, for their owner only, and leaves nothing else', async (t) => {
    const machine = new ExecMachine(t);
    value(await shellOn(machine).upload(FILES, options()));
    check(machine);
    for (const call of machine.cli.calls) {
      assert.ok((call[2] ?? '').length < LONGEST, String(call[2]?.length));
    }
  });

  it('sends small files together: each exec costs seconds', async (t) => {
    const machine = new ExecMachine(t);
    value(await shellOn(machine).upload(FILES.slice(0, 3), options()));
    assert.equal(machine.cli.calls.length, 2);
  });

  it('bears that any of its parts runs twice', async (t) => {
    const machine = new ExecMachine(t);
    machine.breaks = Array.from({ length: 10 }, () => ({ afterBytes: 3 }));
    value(await shellOn(machine).upload(FILES, options()));
    check(machine);
  });

  it('writes over an older file, and over the rests of a broken upload', async (t) => {
    const machine = new ExecMachine(t);
    value(
      await shellOn(machine).upload([{ path: '.brev-jobs/a/big', content: randomBytes(200_000) }], options()),
    );
    writeFileSync(path.join(machine.home, '.brev-jobs/a/big.part0'), 'rest');
    writeFileSync(path.join(machine.home, '.brev-jobs/a/big.part9'), 'rest');
    writeFileSync(path.join(machine.home, '.brev-jobs/a/big.whole'), 'rest');
    value(await shellOn(machine).upload(FILES, options()));
    check(machine);
  });

  it('that cannot be written says so, and leaves the old file', async (t) => {
    const machine = new ExecMachine(t);
    writeFileSync(path.join(machine.home, '.brev-jobs'), 'a file in the place of the folder');
    const outcome = await shellOn(machine).upload(FILES, options());
    assert.ok(outcome.kind === 'failed');
    assert.equal(outcome.failure.kind, 'remoteFailed');
    assert.match(outcome.failure.detail ?? '', /brev-jobs/);
  });
});

it('a stream by exec hands over the script’s bytes, whatever they are', async (t) => {
  const machine = new ExecMachine(t);
  const bytes = randomBytes(100_000);
  writeFileSync(path.join(machine.home, 'bytes'), bytes);
  const chunks: Uint8Array[] = [];
  const outcome = await shellOn(machine).stream(
    { text: 'cat "$HOME/$1"', args: ['bytes'] },
    (chunk) => chunks.push(chunk),
    options().signal,
  );
  assert.equal(outcome.kind, 'ok');
  assert.ok(Buffer.concat(chunks).includes(bytes));
});
