import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { deferred } from '../../support/deferred.ts';
import { eventually } from '../../support/eventually.ts';
import { failureOf, value } from '../../support/outcomes.ts';
import { repositoryRoot } from '../../support/paths.ts';
import { signal } from '../../support/process-tree.ts';
import {
  type SshMachine,
  type SshMachineOptions,
  sshConfig,
  startSshMachine,
} from '../../support/ssh-machine.ts';

const never = new AbortController().signal;
const options = { timeoutMs: 60_000, signal: never };
const plain = (text: string, ...args: string[]) => ({ text, args });
/** Counts its runs, says that it is on its way, and takes longer than anybody waits. */
const LONG = 'echo run >>"$HOME/runs"; sleep 300';

async function start(t: TestContext, startOptions?: SshMachineOptions): Promise<SshMachine> {
  const machine = await startSshMachine(startOptions);
  t.after(() => machine.dispose());
  return machine;
}

/** How often the long script has begun on the machine. */
async function runs(machine: SshMachine): Promise<number> {
  const file = path.join(machine.sshd.home, 'runs');
  return existsSync(file) ? (await readFile(file, 'utf8')).split('\n').length - 1 : 0;
}

const masters = (machine: SshMachine) =>
  machine.sshProcesses().filter(({ command }) => command.endsWith('[mux]'));
const clients = (machine: SshMachine) =>
  machine.sshProcesses().filter(({ command }) => command.startsWith('ssh -F'));
const works = async (machine: SshMachine) =>
  assert.equal(value(await machine.shell.run(plain('echo ok'), options)).stdout, 'ok\n');

describe('a call that is not waited for', { concurrency: 4 }, () => {
  it('cancelled: returns although the command goes on, and takes its ssh along', async (t) => {
    const machine = await start(t);
    const abort = new AbortController();
    const answer = machine.shell.run(plain(LONG), { ...options, signal: abort.signal });
    await eventually(async () => (await runs(machine)) === 1);
    abort.abort();
    assert.equal((await answer).kind, 'cancelled');
    // the shell on the machine may not have come to it yet
    await eventually(() => machine.sshd.commands().some(({ command }) => command === 'sleep 300'));
    await eventually(() => clients(machine).length === 0);
    await works(machine);
    assert.equal(masters(machine).length, 1);
  });

  it('cancelled before, or while it connects', async (t) => {
    const machine = await start(t);
    assert.equal(
      (await machine.shell.run(plain(LONG), { ...options, signal: AbortSignal.abort() })).kind,
      'cancelled',
    );
    assert.equal(machine.calls.length, 0);
    machine.sshd.freeze();
    const abort = new AbortController();
    const answer = machine.shell.run(plain(LONG), { ...options, signal: abort.signal });
    await eventually(() => clients(machine).length === 1);
    abort.abort();
    assert.equal((await answer).kind, 'cancelled');
    machine.sshd.thaw();
    await works(machine);
    assert.equal(await runs(machine), 0);
  });

  it('too late: says so', async (t) => {
    const machine = await start(t);
    await works(machine);
    const outcome = await machine.shell.run(plain('sleep 300'), { timeoutMs: 200, signal: never });
    assert.equal(failureOf(outcome).kind, 'timedOut');
    assert.ok(!machine.shell.neverRan(failureOf(outcome)));
    await eventually(() => clients(machine).length === 0);
  });

  it('too late while it connects', async (t) => {
    const machine = await start(t);
    machine.sshd.freeze();
    const outcome = await machine.shell.run(plain('true'), { timeoutMs: 200, signal: never });
    assert.equal(failureOf(outcome).kind, 'timedOut');
  });

  it('a stream: ends with its signal, and the command with its next output', async (t) => {
    const machine = await start(t);
    const abort = new AbortController();
    const text = 'while echo line; do sleep 0.05; done';
    const outcome = await machine.shell.stream(plain(text), () => abort.abort(), abort.signal);
    assert.equal(outcome.kind, 'cancelled');
    await eventually(() => machine.sshd.commands().length === 0);
  });
});

describe('a connection that drops', { concurrency: 4 }, () => {
  it('during a command: the answer is missing, and nothing is run again', async (t) => {
    const machine = await start(t);
    const answer = machine.shell.run(plain(LONG), options);
    await eventually(async () => (await runs(machine)) === 1);
    machine.sshd.drop();
    const outcome = await answer;
    const { kind, sentence } = failureOf(outcome);
    assert.equal(kind, 'unreachable');
    assert.match(sentence, /broke before the answer was whole/);
    assert.ok(outcome.kind === 'failed' && !machine.shell.neverRan(outcome.failure));
    await works(machine);
    assert.equal(await runs(machine), 1);
  });

  it('is told from a script that fails with ssh’s own code', async (t) => {
    const machine = await start(t);
    assert.equal(value(await machine.shell.run(plain('exit 255'), options)).exitCode, 255);
  });

  it('during a stream: what came is what was sent', async (t) => {
    const machine = await start(t);
    let received = '';
    const outcome = await machine.shell.stream(
      plain('for i in 1 2 3; do echo "$i"; sleep 0.05; done; sleep 300'),
      (chunk) => {
        received += Buffer.from(chunk).toString();
        if (received.includes('3\n')) machine.sshd.drop();
      },
      never,
    );
    assert.equal(failureOf(outcome).kind, 'unreachable');
    assert.equal(received, '1\n2\n3\n');
    await works(machine);
  });

  it('unnoticed, with the master killed too: the next call has a new one', async (t) => {
    const machine = await start(t);
    await works(machine);
    const [master] = masters(machine);
    const socket = machine.calls[0]?.[3] ?? '';
    assert.ok(existsSync(socket));
    signal(master?.pid ?? 0, 'SIGKILL');
    await works(machine);
    assert.ok(!existsSync(socket), 'the stale socket is gone');
    assert.equal(masters(machine).length, 1);
  });

  it('with the master killed during a command', async (t) => {
    const machine = await start(t);
    const answer = machine.shell.run(plain(LONG), options);
    await eventually(async () => (await runs(machine)) === 1);
    for (const { pid } of masters(machine)) signal(pid, 'SIGKILL');
    assert.equal(failureOf(await answer).kind, 'unreachable');
    await works(machine);
    assert.equal(await runs(machine), 1);
  });

  it('while many wait: they share the new one', async (t) => {
    const machine = await start(t);
    await works(machine);
    for (const { pid } of masters(machine)) signal(pid, 'SIGKILL');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => machine.shell.run(plain('echo "$1"', String(index)), options)),
    );
    assert.deepEqual(
      answers.map((answer) => value(answer).stdout),
      ['0\n', '1\n', '2\n', '3\n', '4\n', '5\n', '6\n', '7\n'],
    );
    assert.equal(masters(machine).length, 1);
  });
});

describe('no connection at all', { concurrency: 4 }, () => {
  const cases: readonly [string, (machine: SshMachine) => Promise<void>, string, RegExp][] = [
    ['the key is refused', ({ sshd }) => sshd.authorise(''), 'noSshAccess', /does not accept the SSH key/],
    ['nobody listens', ({ sshd }) => sshd.refuse(), 'unreachable', /gpu1 refuses SSH connections/],
    [
      'the address is none',
      // no name server is asked for this
      ({ configFile, sshd }) =>
        writeFile(configFile, sshConfig(['gpu1'], { ...sshd, port: sshd.port, hostName: '-' })),
      'hostUnresolvable',
      /gpu1 has no address/,
    ],
    ['the config is empty', ({ configFile }) => writeFile(configFile, ''), 'hostUnresolvable', /no address/],
    [
      'the key is missing',
      async ({ configFile }) =>
        writeFile(configFile, (await readFile(configFile, 'utf8')).replaceAll('/id"', '/nosuch"')),
      'noSshAccess',
      /does not accept/,
    ],
    [
      'the config is broken',
      ({ configFile }) => writeFile(configFile, 'Host gpu1\n  Nonsense 1\n'),
      'sshConfigBroken',
      /does not understand/,
    ],
  ];
  for (const [name, spoil, kind, sentence] of cases) {
    it(`${name}: says so, and that nothing has run`, async (t) => {
      const machine = await start(t);
      await spoil(machine);
      for (const outcome of [
        await machine.shell.run(plain(LONG), options),
        await machine.shell.stream(plain(LONG), () => undefined, never),
      ]) {
        const failure = failureOf(outcome);
        assert.equal(failure.kind, kind);
        assert.match(failure.sentence, sentence);
        assert.ok(outcome.kind === 'failed' && machine.shell.neverRan(outcome.failure));
      }
      await eventually(() => machine.sshProcesses().length === 0);
      assert.equal(await runs(machine), 0);
    });
  }

  it('sshd hangs: given up after the time to connect', async (t) => {
    const machine = await start(t);
    const { settings } = machine;
    machine.sshd.freeze();
    const outcome = await machine
      .withSettings({ ...settings, connectTimeoutSeconds: 1 })
      .run(plain(LONG), options);
    machine.sshd.thaw();
    assert.equal(failureOf(outcome).kind, 'unreachable');
    assert.match(failureOf(outcome).sentence, /does not answer over SSH/);
  });

  it('there is no ssh program', async (t) => {
    const machine = await start(t);
    const shell = machine.withSettings({ ...machine.settings, program: '/nosuch/ssh' });
    const outcome = await shell.run(plain(LONG), options);
    assert.match(failureOf(outcome).sentence, /no usable ssh program/);
    assert.ok(outcome.kind === 'failed' && shell.neverRan(outcome.failure));
  });

  it('the config was cut at this very moment: tried once more', async (t) => {
    const machine = await start(t);
    const whole = await readFile(machine.configFile, 'utf8');
    await writeFile(machine.configFile, '');
    const shell = machine.withSettings({
      ...machine.settings,
      run: async (program, runOptions) => {
        const result = await machine.settings.run(program, runOptions);
        await writeFile(machine.configFile, whole);
        return result;
      },
    });
    assert.equal(value(await shell.run(plain('echo ok'), options)).stdout, 'ok\n');
  });

  it('the machine is not the right one: never used', async (t) => {
    const failure = {
      kind: 'sshConfigBroken',
      message: { template: 'no', args: [] },
      retrySafe: true,
    } as const;
    const machine = await startSshMachine({}, async () => failure);
    t.after(() => machine.dispose());
    const outcome = await machine.shell.run(plain(LONG), options);
    assert.equal(outcome.kind === 'failed' && outcome.failure, failure);
    await eventually(() => machine.sshProcesses().length === 0);
    assert.equal(await runs(machine), 0);
  });
});

describe('many calls at once', { concurrency: 4 }, () => {
  const thirty = (machine: SshMachine, text = 'echo "$1"; sleep 0.1') =>
    Promise.all(
      Array.from({ length: 30 }, (_, index) => machine.shell.run(plain(text, String(index)), options)),
    );
  const expected = Array.from({ length: 30 }, (_, index) => `${index}\n`);

  it('30 on a server that allows ten sessions a connection', async (t) => {
    const machine = await start(t);
    const answers = await thirty(machine);
    assert.deepEqual(
      answers.map((answer) => value(answer).stdout),
      expected,
    );
    assert.ok(masters(machine).length <= 4, `${masters(machine).length} connections`);
  });

  it('30 on a server that allows two', async (t) => {
    const machine = await start(t, { config: ['MaxSessions 2'] });
    const answers = await thirty(machine);
    assert.deepEqual(
      answers.map((answer) => value(answer).stdout),
      expected,
    );
  });

  it('learn what a server allows: one is refused, and no other after it', async (t) => {
    const machine = await start(t, { config: ['MaxSessions 2'] });
    const abort = new AbortController();
    const streams: Promise<unknown>[] = [];
    for (let count = 1; count <= 6; count++) {
      const begun = deferred<void>();
      const text = plain('echo begun; sleep 300');
      streams.push(machine.shell.stream(text, () => begun.resolve(), abort.signal));
      await begun.promise;
    }
    // three connections, six sessions, and the refused one
    assert.equal(machine.calls.length, 3 + 6 + 1);
    abort.abort();
    await Promise.all(streams);
  });

  it('beside streams that never end: on further connections', async (t) => {
    const machine = await start(t);
    const abort = new AbortController();
    const streams = Array.from({ length: 12 }, () => {
      const begun = deferred<void>();
      const ended = machine.shell.stream(plain('echo begun; sleep 300'), () => begun.resolve(), abort.signal);
      return { begun: begun.promise, ended };
    });
    await Promise.all(streams.map(({ begun }) => begun));
    assert.equal(masters(machine).length, 2);
    await works(machine);
    abort.abort();
    assert.deepEqual(
      (await Promise.all(streams.map(({ ended }) => ended))).map(({ kind }) => kind),
      streams.map(() => 'cancelled'),
    );
  });

  it('after more cancelled ones than the server has sessions, whose commands go on', async (t) => {
    const machine = await start(t);
    const abort = new AbortController();
    const left = Array.from({ length: 12 }, () =>
      machine.shell.run(plain(LONG), { ...options, signal: abort.signal }),
    );
    await eventually(async () => (await runs(machine)) === 12);
    abort.abort();
    await Promise.all(left);
    for (let round = 0; round < 10; round++) await works(machine);
    assert.equal(machine.sshd.commands().filter(({ command }) => command === 'sleep 300').length, 12);
    assert.ok(masters(machine).length <= 3, `${masters(machine).length} connections`);
  });

  it('while a further connection is refused: in turn on the one that stands', async (t) => {
    const machine = await start(t);
    await works(machine);
    await machine.sshd.refuse();
    const answers = await thirty(machine, 'echo "$1"');
    assert.deepEqual(
      answers.map((answer) => value(answer).stdout),
      expected,
    );
    assert.equal(masters(machine).length, 1);
  });
});

describe('what is left', { concurrency: 4 }, () => {
  it('of an idle connection: nothing, and the next call makes another', async (t) => {
    // long enough that a busy computer gets from the handshake to the first command in it
    const machine = await start(t, { idleSeconds: 4 });
    await works(machine);
    await eventually(() => machine.sshProcesses().length === 0);
    assert.ok(!machine.connection.stands);
    assert.deepEqual(machine.sshd.connections(), []);
    await works(machine);
  });

  it('of a connection in use: it stands longer than the time for idle ones', async (t) => {
    // as above
    const machine = await start(t, { idleSeconds: 4 });
    assert.equal(value(await machine.shell.run(plain('sleep 5; echo ok'), options)).stdout, 'ok\n');
  });

  it('after closing: no process, no socket, no folder', async (t) => {
    const machine = await start(t);
    const answer = machine.shell.run(plain(LONG), options);
    await eventually(async () => (await runs(machine)) === 1);
    await machine.connection.close();
    assert.equal(failureOf(await answer).kind, 'unreachable');
    await eventually(() => machine.sshProcesses().length === 0);
    await machine.settings.control.dispose();
    assert.deepEqual(await readdir(machine.socketBase), ['ssh_config']);
    assert.equal((await machine.shell.run(plain('true'), options)).kind, 'cancelled');
  });

  it('of a process that ends without closing: nothing', async (t) => {
    const machine = await start(t);
    const file = (name: string) => JSON.stringify(path.join(repositoryRoot, name));
    const code = `
      import { createRun } from ${file('src/process/run.ts')};
      import { ControlFolder } from ${file('src/remote/controlFolder.ts')};
      import { SshConnection } from ${file('src/remote/sshConnection.ts')};
      const connection = new SshConnection({
        ssh: {
          run: createRun(), program: 'ssh', configFile: () => ${JSON.stringify(machine.configFile)},
          environment: () => ({ PATH: process.env.PATH }), control: new ControlFolder('ssh', ${JSON.stringify(machine.socketBase)}),
          connectTimeoutSeconds: 10, idleSeconds: 600,
        },
        alias: 'gpu1', verify: async () => undefined,
      });
      console.log(await connection.connect(60_000, new AbortController().signal));
      process.exit(3);`;
    const loader = path.join(repositoryRoot, 'test/support/sh-loader.ts');
    const child = spawn(process.execPath, ['--import', loader, '--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const [exitCode] = await once(child, 'close');
    assert.equal(exitCode, 3);
    assert.equal(said, 'undefined\n');
    await eventually(() => machine.sshProcesses().length === 0);
    assert.deepEqual(await readdir(machine.socketBase), ['ssh_config']);
  });

  it('after closing while a call waits for a place: that call is cancelled', async (t) => {
    const machine = await start(t);
    await works(machine);
    await machine.sshd.refuse();
    const busy = Array.from({ length: 8 }, () => machine.shell.run(plain(LONG), options));
    await eventually(async () => (await runs(machine)) === 8);
    const waiting = machine.shell.run(plain(LONG), options);
    await machine.connection.close();
    assert.equal((await waiting).kind, 'cancelled');
    for (const outcome of await Promise.all(busy)) assert.equal(failureOf(outcome).kind, 'unreachable');
    assert.equal(await runs(machine), 8);
  });

  it('after closing while it connects', async (t) => {
    const machine = await start(t);
    machine.sshd.freeze();
    const answer = machine.shell.run(plain(LONG), options);
    await eventually(() => clients(machine).length === 1);
    await machine.connection.close();
    assert.equal((await answer).kind, 'cancelled');
    machine.sshd.thaw();
    await eventually(() => machine.sshProcesses().length === 0);
  });
});
