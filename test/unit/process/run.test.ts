import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Redactor } from '../../../src/process/redact.ts';
import { createRun, type RunOptions, type RunResult } from '../../../src/process/run.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const env = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' };
const run = createRun();
/** Long enough for a busy machine; no test waits for it. */
const LONG = 60_000;

const shell = (script: string, options: Partial<RunOptions> = {}): Promise<RunResult> =>
  run('/bin/bash', { args: ['-c', script], env, timeoutMs: LONG, ...options });

function outputOf(result: RunResult): string {
  assert.ok(result.kind === 'ok', JSON.stringify(result));
  return result.stdout;
}

/** Resolves with what a process wrote into a file, once it is whole. */
async function fileWritten(file: string): Promise<string> {
  const watcher = watch(path.dirname(file));
  try {
    while (!existsSync(file) || !readFileSync(file, 'utf8').endsWith('\n')) {
      await once(watcher, 'change');
    }
    return readFileSync(file, 'utf8').trim();
  } finally {
    watcher.close();
  }
}

/** Whether a process runs: one that nobody has buried yet doesn't. */
function runs(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Resolves when the process is no more; the runner's own time limit catches one that stays. */
async function gone(pid: number): Promise<void> {
  while (runs(pid)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('what reaches the program', () => {
  it('gets its arguments untouched', async () => {
    const args = [
      '',
      ' ',
      "it's",
      '"q"',
      'a\nb',
      '$(x)',
      '`x`',
      '学習-1 🚀',
      '-rf',
      '--',
      '*',
      '\\',
      'x;y&z|',
      '\u202e',
    ];
    const result = await shell('printf "%s\\0" "$@"', {
      args: ['-c', 'printf "%s\\0" "$@"', 'name', ...args],
    });
    assert.deepEqual(outputOf(result).split('\0').slice(0, -1), args);
  });

  it('gets no stdin: a program that reads it to the end goes on at once', async () => {
    assert.equal(outputOf(await shell('cat; readlink /proc/self/fd/0')), '/dev/null\n');
  });

  it('gets its input, whole and closed', async () => {
    const input = 'x'.repeat(300_000);
    const result = await run('/usr/bin/wc', { args: ['-c'], env, timeoutMs: LONG, input });
    assert.equal(outputOf(result).trim(), '300000');
  });

  it('may exit without reading its input', async () => {
    const input = 'x'.repeat(3_000_000);
    assert.equal((await run('/bin/true', { args: [], env, timeoutMs: LONG, input })).kind, 'ok');
  });

  it('gets the environment that was given and nothing else', async () => {
    process.env.NOT_FOR_THE_CHILD = '1';
    const result = await run('/usr/bin/env', { args: [], env: { ONLY: 'this' }, timeoutMs: LONG });
    delete process.env.NOT_FOR_THE_CHILD;
    assert.equal(outputOf(result), 'ONLY=this\n');
  });

  it('runs where it is told to', async (t) => {
    const cwd = temporaryFolder(t);
    assert.equal(outputOf(await shell('pwd', { cwd })), `${cwd}\n`);
  });
});

describe('what comes back', () => {
  it('tells exit codes and both streams', async () => {
    assert.deepEqual(await shell('echo out; echo err >&2; exit 7'), {
      kind: 'failed',
      exitCode: 7,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
    });
  });

  it('tells a signal from an exit code', async () => {
    const result = await shell('kill -9 $$');
    assert.ok(result.kind === 'failed');
    assert.equal(result.signal, 'SIGKILL');
    assert.equal(result.exitCode, null);
  });

  it('puts characters together that came in pieces', async () => {
    const chunks: number[] = [];
    const script =
      "printf '\\xe5\\xad'; sleep 0.05; printf '\\xa6\\xf0\\x9f'; sleep 0.05; printf '\\x9a\\x80'";
    assert.equal(outputOf(await shell(script)), '学🚀');
    await shell(script, { onStdout: (chunk) => chunks.push(...chunk) });
    assert.equal(Buffer.from(chunks).toString(), '学🚀');
  });

  it('keeps the first bytes of an output that has no end in sight', async () => {
    const result = await shell('head -c 3000000 /dev/zero | tr "\\0" x; head -c 3000000 /dev/zero >&2', {
      maxOutputBytes: 1_000,
    });
    assert.ok(result.kind === 'ok');
    assert.equal(result.stdout, 'x'.repeat(1_000));
    assert.equal(result.stderr.length, 1_000);
    assert.equal(result.truncated, true);
  });

  it('does not end a cut output in half a character', async () => {
    const result = await shell("printf '学習'", { maxOutputBytes: 4 });
    assert.ok(result.kind === 'ok');
    assert.equal(result.stdout, '学');
  });

  it('streams stdout and does not keep it', async () => {
    let bytes = 0;
    const result = await shell('head -c 500000 /dev/zero; echo err >&2', {
      onStdout: (chunk) => {
        bytes += chunk.length;
      },
    });
    assert.equal(bytes, 500_000);
    assert.deepEqual(result, { kind: 'ok', stdout: '', stderr: 'err\n', truncated: false });
  });
});

describe('a program that cannot be run', () => {
  const outcome = (program: string, options: Partial<RunOptions> = {}) =>
    run(program, { args: [], env, timeoutMs: LONG, ...options });

  function script(t: TestContext, text: string, mode: number): string {
    const file = path.join(temporaryFolder(t), 'brev');
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  }

  it('is not there', async () => {
    assert.deepEqual(await outcome('/nonexistent/brev'), { kind: 'notFound', program: '/nonexistent/brev' });
    assert.equal((await outcome('brev-that-is-on-no-path')).kind, 'notFound');
  });

  it('is not executable', async (t) => {
    const result = await outcome(script(t, '#!/bin/sh\n', 0o644));
    assert.ok(result.kind === 'notExecutable');
    assert.match(result.reason, /EACCES/);
  });

  it('is a folder', async (t) => {
    assert.equal((await outcome(temporaryFolder(t))).kind, 'notExecutable');
  });

  it('is a script whose interpreter is missing: that is not a missing program', async (t) => {
    const result = await outcome(script(t, '#!/nonexistent/interpreter\n', 0o755));
    assert.ok(result.kind === 'notExecutable', result.kind);
    assert.match(result.reason, /interpreter/);
  });

  it('is no program at all', async (t) => {
    const result = await outcome(script(t, '\x7fELFnonsense', 0o755));
    assert.ok(result.kind === 'notExecutable' || result.kind === 'failed', result.kind);
  });

  it('would run in a folder that is missing: that is not a missing program', async () => {
    const result = await outcome('/bin/true', { cwd: '/nonexistent/folder' });
    assert.ok(result.kind === 'notExecutable', result.kind);
    assert.match(result.reason, /\/nonexistent\/folder/);
  });

  it('would get arguments that no program can get', async () => {
    assert.equal((await outcome('/bin/true', { args: ['a\0b'] })).kind, 'notExecutable');
    assert.equal((await outcome('/bin/true', { args: ['x'.repeat(5_000_000)] })).kind, 'notExecutable');
  });
});

describe('the end of patience', { concurrency: true }, () => {
  it('returns at once and kills the whole group, whoever holds the pipes', async (t) => {
    const pids = path.join(temporaryFolder(t), 'pids');
    const abort = new AbortController();
    const result = shell(`sleep 1000 & (sleep 1000; :) & echo $$ $! > ${pids}; echo begun; wait`, {
      signal: abort.signal,
      onStdout: () => abort.abort(),
    });
    assert.deepEqual(await result, { kind: 'cancelled' });
    for (const pid of (await fileWritten(pids)).split(' ')) {
      await gone(Number(pid));
    }
  });

  it('kills what ignores a request to end', async (t) => {
    const file = path.join(temporaryFolder(t), 'pid');
    const abort = new AbortController();
    await shell(`trap "" TERM INT HUP; echo $$ > ${file}; echo begun; while :; do sleep 0.1; done`, {
      signal: abort.signal,
      onStdout: () => abort.abort(),
    });
    // the killer must not need this process's event loop kept alive; here it is
    await gone(Number(await fileWritten(file)));
  });

  it('returns on a time limit with what was said so far', async () => {
    const result = await shell('echo begun; echo why >&2; sleep 1000', { timeoutMs: 400 });
    assert.deepEqual(result, {
      kind: 'timedOut',
      timeoutMs: 400,
      stdout: 'begun\n',
      stderr: 'why\n',
      truncated: false,
    });
  });

  it('is heeded before the program is begun', async (t) => {
    const file = path.join(temporaryFolder(t), 'ran');
    assert.deepEqual(await shell(`touch ${file}`, { signal: AbortSignal.abort() }), { kind: 'cancelled' });
    const abort = new AbortController();
    const running = shell(`touch ${file}; sleep 1000`, { signal: abort.signal });
    abort.abort();
    assert.deepEqual(await running, { kind: 'cancelled' });
    assert.equal(existsSync(file), false);
  });

  it('is over when what takes the output throws: that is no affair of the event loop', async (t) => {
    const file = path.join(temporaryFolder(t), 'pid');
    const full = new Error('ENOSPC: no space left on device');
    const running = shell(`echo $$ > ${file}; echo begun; sleep 1000`, {
      onStdout: () => {
        throw full;
      },
    });
    await assert.rejects(running, full);
    await gone(Number(await fileWritten(file)));
  });
});

describe('a program that leaves somebody behind', { concurrency: true }, () => {
  it('is over although a grandchild in its own session holds the pipes', async (t) => {
    const file = path.join(temporaryFolder(t), 'pid');
    const script = `setsid bash -c 'echo $$ > ${file}; sleep 1000' & echo said`;
    assert.equal(outputOf(await shell(script)), 'said\n');
    process.kill(Number(await fileWritten(file)), 'SIGKILL');
  });

  it('is over although a grandchild never stops talking', async (t) => {
    const file = path.join(temporaryFolder(t), 'pid');
    const script = `setsid bash -c 'echo $$ > ${file}; while echo more; do sleep 0.02; done' & echo said`;
    assert.match(outputOf(await shell(script)), /^(?:more\n)*said\n/);
    await gone(Number(await fileWritten(file)));
  });

  it('is heard to the end: what a grandchild says right after its exit counts', async () => {
    // no pause and no further program: on a busy computer either may take longer than is waited for
    const script = '(while kill -0 $$ 2>&-; do :; done; echo late; printf %2000000s x) & echo early';
    const output = outputOf(await shell(script));
    assert.equal(output.length, 'early\nlate\n'.length + 2_000_000);
  });
});

describe('the log', () => {
  const logged = async (args: readonly string[], redactor = new Redactor()): Promise<string> => {
    const lines: string[] = [];
    await createRun((line) => lines.push(line), redactor)('/bin/true', { args, env, timeoutMs: LONG });
    assert.equal(lines.length, 1);
    return lines[0] ?? '';
  };

  it('has one line a program: what was run and how it ended', async () => {
    assert.match(await logged(['ls', '--json']), /^\/bin\/true ls --json → ok in \d+ ms$/);
  });

  it('never has a secret', async () => {
    const token = `eyJhbGciOiJIUzI1NiJ9.${'a1'.repeat(200)}.c2ln`;
    assert.ok(!(await logged(['login', '--token', token])).includes('a1a1a1'));
    const redactor = new Redactor();
    redactor.addSecret('hunter22');
    assert.ok(!(await logged(['login', '--token', '-hunter22'], redactor)).includes('hunter22'));
  });

  it('has no piece of a secret where a long argument is cut', async () => {
    const redactor = new Redactor();
    const secret = 'the-secret-0123456789';
    redactor.addSecret(secret);
    for (let before = 50; before < 90; before++) {
      const line = await logged([`${'x'.repeat(before)}${secret}${'y'.repeat(100)}`], redactor);
      assert.ok(!line.includes('the-s'), line);
    }
  });

  it('shows only how a script begins', async () => {
    const line = await logged(['exec', 'gpu1', `echo one\n${'echo more\n'.repeat(1_000)}`]);
    assert.ok(line.length < 200, line);
    assert.match(line, /exec gpu1 echo one… \(\d+ characters\)/);
  });
});

it('leaves no listener and no timer behind', async () => {
  const { signal } = new AbortController();
  let listening = 0;
  const counted: AbortSignal = Object.assign(signal, {
    addEventListener: (...args: Parameters<AbortSignal['addEventListener']>) => {
      listening++;
      AbortSignal.prototype.addEventListener.apply(signal, args);
    },
    removeEventListener: (...args: Parameters<AbortSignal['removeEventListener']>) => {
      listening--;
      AbortSignal.prototype.removeEventListener.apply(signal, args);
    },
  });
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await shell('true', { signal: counted });
  await shell('exit 3', { signal: counted });
  await run('/nonexistent/brev', { args: [], env, timeoutMs: LONG, signal: counted });
  await shell('sleep 1000', { signal: counted, timeoutMs: 50 });
  assert.equal(listening, 0);
  const abort = new AbortController();
  await shell('echo x; sleep 1000', { signal: abort.signal, onStdout: () => abort.abort() });
  assert.equal(timers(), before);
});

it('runs fifty programs at once', async () => {
  const results = await Promise.all(Array.from({ length: 50 }, (_, index) => shell(`echo ${index}`)));
  assert.deepEqual(
    results.map((result) => outputOf(result).trim()),
    results.map((_, index) => String(index)),
  );
});
