import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ExecShell } from '../../../src/remote/execShell.ts';
import type { RemoteShell } from '../../../src/remote/shell.ts';
import wrapper from '../../../src/remote/wrapperInput.sh';
import { eventually } from '../../support/eventually.ts';
import { failureOf, value } from '../../support/outcomes.ts';
import { createSshCloud, type SshCloud, type SshInstance } from '../../support/ssh-cloud.ts';

const run = promisify(execFile);
const never = new AbortController().signal;
const options = { timeoutMs: 60_000, signal: never };
const plain = (text: string, ...args: string[]) => ({ text, args });
const CANARY = 'nvapi-canary-0123456789abcdef';

let cloud: SshCloud;
let gpu: SshInstance;
const shells: { exec?: RemoteShell; ssh?: RemoteShell } = {};
const shellBy = (route: 'exec' | 'ssh'): RemoteShell => {
  const shell = shells[route];
  assert.ok(shell);
  return shell;
};

before(async () => {
  // of our own, so that what lies there is of this run
  process.env.TMPDIR = await mkdtemp(path.join(tmpdir(), 'brev-and-'));
  cloud = await createSshCloud();
  gpu = await cloud.add({ name: 'gpu1' });
  shells.exec = new ExecShell(cloud.brev, 'gpu1');
  shells.ssh = value(await cloud.shells.shell({ instanceId: gpu.id, instanceName: 'gpu1' }));
  value(await shells.ssh.run(plain('true'), options));
});
after(async () => {
  await cloud.dispose();
  await rm(tmpdir(), { recursive: true, force: true });
});

/** The copies of inputs that lie on the machine. */
const inputs = async () => (await readdir(gpu.home)).filter((name) => name.startsWith('.brev-input'));

for (const route of ['exec', 'ssh'] as const) {
  describe(`a shell by ${route}`, () => {
    it('says its route', () => {
      assert.equal(shellBy(route).route, route);
    });

    const cases: readonly [string, string, number][] = [
      ['printf "%s" "$1"', 'an "argument" $HOME \'x\'\n', 0],
      ['echo out; echo err >&2; exit 3', 'out\n', 3],
      ['exec 2>&1; echo err >&2; exit 255', 'err\n', 255],
      ['cat; echo "no input"', 'no input\n', 0],
      ['kill -9 $BASHPID', '', 137],
      ['set -e; echo begun; false; echo no', 'begun\n', 1],
      ['trap "echo bye" EXIT; exit 4', 'bye\n', 4],
      ['printf "no newline"', 'no newline', 0],
      ['echo "$#"; shift; echo "$#"', '1\n0\n', 0],
      ['cd /; token=x; script=y; exit 5', '', 5],
    ];
    for (const [text, stdout, exitCode] of cases) {
      it(`answers ${JSON.stringify(text)}`, async () => {
        const answer = await shellBy(route).run(plain(text, 'an "argument" $HOME \'x\'\n'), options);
        assert.deepEqual(value(answer), { exitCode, stdout });
      });
    }

    it('gives a script its input, and its arguments beside', async () => {
      const input = randomBytes(200_000);
      const script = plain('echo "$1"; base64 -w 0', 'beside');
      const { exitCode, stdout } = value(await shellBy(route).run(script, { ...options, input }));
      const [first, second = ''] = stdout.split('\n');
      assert.deepEqual({ exitCode, first }, { exitCode: 0, first: 'beside' });
      assert.ok(Buffer.from(second, 'base64').equals(input));
      assert.deepEqual(await inputs(), []);
    });

    it('tells the exit code of a script that doesn’t read its input', async () => {
      const answer = await shellBy(route).run(plain('exit 6'), { ...options, input: Buffer.from('unread') });
      assert.equal(value(answer).exitCode, 6);
      assert.deepEqual(await inputs(), []);
    });

    it('keeps an input off every command line, here and there', async () => {
      const before = cloud.runs.length;
      const text = 'cat >/dev/null; cat /proc/[0-9]*/cmdline | tr "\\0" " "';
      const input = Buffer.from(CANARY);
      const { stdout } = value(await shellBy(route).run(plain(text), { ...options, input }));
      assert.match(stdout, /sshd/);
      assert.ok(!stdout.includes(CANARY));
      const ran = cloud.runs.slice(before);
      assert.ok(ran.length > 0);
      assert.ok(
        !JSON.stringify(ran.map(({ program, options: { args, env } }) => [program, args, env])).includes(
          CANARY,
        ),
      );
      assert.ok(!(await cloud.sim.analytics()).includes(CANARY));
    });

    it('uploads and downloads the same bytes', async () => {
      const content = randomBytes(150_000);
      value(await shellBy(route).upload([{ path: `${route}/file`, content }], options));
      const chunks: Uint8Array[] = [];
      const size = await shellBy(route).download(`${route}/file`, (chunk) => chunks.push(chunk), options);
      assert.equal(value(size), content.length);
      assert.ok(Buffer.concat(chunks).equals(content));
      assert.equal(statSync(path.join(gpu.home, route, 'file')).mode & 0o777, 0o600);
    });

    it('streams', async () => {
      let text = '';
      const outcome = await shellBy(route).stream(
        plain('echo "one $1"; echo two; exit 9', 'x'),
        (chunk) => {
          text += Buffer.from(chunk).toString();
        },
        never,
      );
      assert.equal(outcome.kind, 'ok');
      assert.match(text, /(?:^|\n)one x\ntwo\n/);
    });
  });
}

describe('an input by exec', () => {
  const input = Buffer.from(CANARY);
  const shell = () => shellBy('exec');
  const localCopies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('brev-input-'));

  it('goes as a file that only its owner may read, here and there, while it is needed', async () => {
    const text = 'cat >/dev/null; stat -c %a "$HOME"/.brev-input-*';
    const { stdout } = value(await shell().run(plain(text), { ...options, input }));
    assert.equal(stdout, '600\n');
    assert.deepEqual(localCopies(), []);
    const copies = cloud.runs.filter(({ options: { args } }) => args[0] === 'copy');
    const [, local = '', remote = ''] = copies.at(-1)?.options.args ?? [];
    assert.match(remote, /^gpu1:\.brev-input-[0-9a-f]{16}$/);
    assert.ok(!existsSync(local));
  });

  it('is removed on both sides when it could not be used', async () => {
    await cloud.sim.scenario([
      { kind: 'error', command: 'exec', stderr: 'dial tcp: no such host\n', exitCode: 1 },
    ]);
    const outcome = await shell().run(plain('cat'), { ...options, input });
    assert.equal(outcome.kind, 'failed');
    assert.deepEqual(localCopies(), []);
    await eventually(async () => (await inputs()).length === 0);
  });

  it('is not sent on when the copy failed', async () => {
    await cloud.sim.scenario([
      { kind: 'error', command: 'copy', stderr: 'scp failed: exit status 1\n', exitCode: 1 },
    ]);
    const before = cloud.runs.length;
    const outcome = await shell().run(plain('echo "secret command"'), { ...options, input });
    assert.equal(outcome.kind, 'failed');
    const execs = cloud.runs
      .slice(before)
      .filter(({ options: { args } }) => args.join(' ').includes('secret command'));
    assert.deepEqual(execs, []);
    // something may have arrived all the same
    const [, , remote = ''] =
      cloud.runs.findLast(({ options: { args } }) => args[0] === 'copy')?.options.args ?? [];
    const name = remote.replace(/^gpu1:/, '');
    await eventually(async () =>
      (await cloud.sim.calls()).some(
        ({ args, exitCode }) => args.at(-1) === `rm -f "$HOME"/${name}` && exitCode === 0,
      ),
    );
    await cloud.sim.scenario([]);
  });

  it('is there for a replay too, while the first run still goes on', async () => {
    await cloud.sim.scenario([{ kind: 'drop', command: 'exec', afterBytes: 60 }]);
    const text = `read -r line
      printf '%080d' 0
      echo run >>"$HOME/replays"
      until [ "$(wc -l <"$HOME/replays")" -ge 2 ]; do sleep 0.01; done
      echo "$line"`;
    const answer = value(await shell().run(plain(text), { ...options, input }));
    assert.deepEqual(answer, { exitCode: 0, stdout: `${'0'.repeat(80)}${CANARY}\n` });
    await eventually(async () => (await inputs()).length === 0);
  });

  it('is gone for a replay that comes when the first run is over: that one says nothing', async () => {
    const wrapped = ['-c', wrapper, 'brev-instances', 'token', 'cat', '.brev-input-test'];
    const environment = { env: { PATH: process.env.PATH, HOME: gpu.home } };
    await writeFile(path.join(gpu.home, '.brev-input-test'), CANARY);
    const first = await run('bash', wrapped, environment);
    assert.equal(first.stdout, `@@brev-begin token\n${CANARY}\n@@brev-end token 0\n`);
    assert.deepEqual(await inputs(), []);
    assert.equal((await run('bash', wrapped, environment)).stdout, '');
  });

  it('is refused by a name that a local shell would read', async () => {
    const before = cloud.runs.length;
    const odd = new ExecShell(cloud.brev, '$(id)');
    assert.equal(failureOf(await odd.run(plain('cat'), { ...options, input })).kind, 'unusableName');
    assert.deepEqual(localCopies(), []);
    assert.equal(cloud.runs.length, before);
  });
});

describe('a download by exec', () => {
  it('is whole although the CLI runs its command again', async () => {
    const content = randomBytes(9_000_000);
    await writeFile(path.join(gpu.home, 'replayed'), content);
    await cloud.sim.scenario([{ kind: 'drop', command: 'exec', afterBytes: 200_000 }]);
    const chunks: Uint8Array[] = [];
    const size = await shellBy('exec').download('replayed', (chunk) => chunks.push(chunk), options);
    await cloud.sim.scenario([]);
    assert.equal(value(size), content.length);
    assert.ok(Buffer.concat(chunks).equals(content));
  });
});
