import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { refresh } from '../../../src/brev/exec.ts';
import { setOrganisation } from '../../../src/brev/organisations.ts';
import type { RouteState } from '../../../src/remote/instanceRoute.ts';
import type { RemoteShell } from '../../../src/remote/shell.ts';
import type { Shells } from '../../../src/remote/shells.ts';
import { inEnglish } from '../../../src/values/message.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/freePort.ts';
import { failureOf, value } from '../../support/outcomes.ts';
import { configOf, createSshCloud, type SshCloud, type SshInstance } from '../../support/ssh-cloud.ts';
import { sshConfig } from '../../support/ssh-machine.ts';

const never = new AbortController().signal;
const options = { timeoutMs: 60_000, signal: never };
const plain = (text: string, ...args: string[]) => ({ text, args });
const WHERE = plain('hostname; [ -n "$SSH_CONNECTION" ] && touch "$HOME/visited"');

async function cloudFor(t: TestContext): Promise<SshCloud> {
  const cloud = await createSshCloud();
  t.after(() => cloud.dispose());
  return cloud;
}

async function shellOn(shells: Shells, { id, name }: { id: string; name: string }): Promise<RemoteShell> {
  return value(await shells.shell({ instanceId: id, instanceName: name }));
}

/** Whether the real ssh serves this call; the simulated exec says that it is at port 22. */
const BY_SSH = plain('case $SSH_CONNECTION in *" 22") echo exec ;; *) echo ssh ;; esac');
async function way(shell: RemoteShell): Promise<string> {
  return value(await shell.run(BY_SSH, options)).stdout.trim();
}

function reason(state: RouteState | undefined): string {
  return state?.route === 'exec' ? inEnglish(state.reason) : `${state?.route}`;
}

/** No connection stands, and none can be made. */
async function cutOff({ sshd }: SshInstance): Promise<void> {
  await sshd.refuse();
  sshd.drop();
}

describe('the way to an instance', { concurrency: 3 }, () => {
  it('is ssh, at once, on a fresh instance too: the config is refreshed, and nothing goes by exec', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const shell = await shellOn(cloud.shells, gpu);
    assert.deepEqual(cloud.shells.route(gpu.id), { route: 'undecided' });
    assert.equal(await way(shell), 'ssh');
    assert.equal(shell.route, 'ssh');
    assert.equal(cloud.shells.route(gpu.id)?.route, 'ssh');
    assert.deepEqual(cloud.counts().cli, ['refresh']);
    assert.equal(await way(shell), 'ssh');
    assert.deepEqual(cloud.counts(), { ssh: 3, cli: ['refresh'] });
  });

  it('needs no refresh where the config knows the instance', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    await way(await shellOn(cloud.shells, gpu));
    assert.equal(await way(await shellOn(cloud.anotherWindow(), gpu)), 'ssh');
    assert.deepEqual(cloud.counts().cli, ['refresh']);
  });

  it('is found once by all that ask at the same time', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const shells = await Promise.all(Array.from({ length: 8 }, () => shellOn(cloud.shells, gpu)));
    assert.deepEqual(
      await Promise.all(shells.map(way)),
      shells.map(() => 'ssh'),
    );
    assert.equal(gpu.sshd.connections().length, 1);
    assert.deepEqual(cloud.counts().cli, ['refresh']);
  });

  it('is exec while ssh does not answer; later ssh is tried again, and nobody waits for that', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    await gpu.sshd.refuse();
    const changes: string[] = [];
    cloud.shells.onRouteChange((id) => changes.push(`${id} ${cloud.shells.route(id)?.route}`));
    const shell = await shellOn(cloud.shells, gpu);
    assert.equal(await way(shell), 'exec');
    assert.match(reason(cloud.shells.route(gpu.id)), /gpu1 refuses SSH connections/);
    assert.match(cloud.log.at(-1) ?? '', /gpu1: commands go by brev exec: gpu1 refuses/);
    await gpu.sshd.accept();
    const { ssh } = cloud.counts();
    assert.equal(await way(shell), 'exec');
    assert.equal(cloud.counts().ssh, ssh, 'too early to try again');
    cloud.clock.leap(61_000);
    assert.equal(await way(shell), 'exec');
    await eventually(() => shell.route === 'ssh');
    assert.equal(await way(shell), 'ssh');
    assert.deepEqual(changes, [`${gpu.id} exec`, `${gpu.id} ssh`]);
  });

  it('waits longer with each failure in a row, up to ten minutes', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    await gpu.sshd.refuse();
    const shell = await shellOn(cloud.shells, gpu);
    const pauses: number[] = [];
    for (let failure = 1; failure <= 5; failure++) {
      const before = cloud.shells.route(gpu.id);
      await way(shell);
      await eventually(() => cloud.shells.route(gpu.id) !== before);
      const state = cloud.shells.route(gpu.id);
      assert.ok(state?.route === 'exec');
      pauses.push((state.retryAt ?? 0) - state.since);
      cloud.clock.leap((state.retryAt ?? 0) - cloud.clock.now());
    }
    assert.deepEqual(pauses, [60_000, 120_000, 240_000, 480_000, 600_000]);
  });

  it('changes to exec within a call when the connection cannot be had any more', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const shell = await shellOn(cloud.shells, gpu);
    assert.equal(await way(shell), 'ssh');
    await cutOff(gpu);
    assert.equal(await way(shell), 'exec');
    assert.equal(shell.route, 'exec');
    await eventually(() => cloud.sshProcesses().length === 0);
  });

  it('stays ssh over a connection that was lost in passing', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const shell = await shellOn(cloud.shells, gpu);
    await way(shell);
    gpu.sshd.drop();
    assert.equal(await way(shell), 'ssh');
    assert.ok(!cloud.counts().cli.includes('exec'));
  });

  it('does not change within a call that may have run', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const shell = await shellOn(cloud.shells, gpu);
    const file = path.join(gpu.home, 'runs');
    const answer = shell.run(plain('echo run >>"$HOME/runs"; sleep 300'), options);
    await eventually(() => existsSync(file));
    await cutOff(gpu);
    assert.equal(failureOf(await answer).kind, 'unreachable');
    assert.equal(await readFile(file, 'utf8'), 'run\n');
    assert.ok(!cloud.counts().cli.includes('exec'));
  });

  it('serves uploads, downloads and streams alike, and a download over both ways', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const shell = await shellOn(cloud.shells, gpu);
    const content = Buffer.alloc(9_000_000, 'some bytes \n');
    value(await shell.upload([{ path: 'file', content }], options));
    const chunks: Uint8Array[] = [];
    let cut: Promise<void> | undefined;
    const size = await shell.download(
      'file',
      (chunk) => {
        chunks.push(chunk);
        cut ??= cutOff(gpu);
      },
      options,
    );
    await cut;
    assert.equal(value(size), content.length);
    assert.ok(Buffer.concat(chunks).equals(content));
    let streamed = '';
    value(
      await shell.stream(
        plain('echo "by $1"', 'exec'),
        (chunk) => {
          streamed += Buffer.from(chunk).toString();
        },
        never,
      ),
    );
    assert.match(streamed, /^by exec$/m);
    assert.equal(shell.route, 'exec');
  });

  it('is exec where the CLI’s ssh config cannot be read', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const odd = cloud.anotherWindow({ configFile: () => cloud.sim.home });
    assert.equal(await way(await shellOn(odd, gpu)), 'exec');
    assert.match(reason(odd.route(gpu.id)), /cannot be read: .*EISDIR/);
  });

  it('is ssh again after the folder of the sockets was swept away', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const shell = await shellOn(cloud.shells, gpu);
    await way(shell);
    await cloud.sweep();
    assert.equal(await way(shell), 'ssh');
  });

  it('is exec where ssh cannot share connections', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const shells = cloud.anotherWindow('win32');
    assert.equal(await way(await shellOn(shells, gpu)), 'exec');
    assert.match(reason(shells.route(gpu.id)), /do not work on this computer/);
    assert.equal(cloud.counts().ssh, 0);
  });

  it('is none by a name that a local shell would read', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'x; touch /tmp/brev-pwned' });
    const outcome = await (await shellOn(cloud.shells, gpu)).run(WHERE, options);
    assert.equal(failureOf(outcome).kind, 'unusableName');
    assert.deepEqual(cloud.counts(), { ssh: 0, cli: [] });
  });
});

describe('the time for a command', { concurrency: 3 }, () => {
  for (const route of ['ssh', 'exec'] as const) {
    it(`is ten minutes at least for the first one on an instance, by ${route}`, async (t) => {
      const cloud = await cloudFor(t);
      const gpu = await cloud.add({ name: 'gpu1' });
      if (route === 'exec') await gpu.sshd.refuse();
      const shell = await shellOn(cloud.shells, gpu);
      const times = async () => {
        const before = cloud.runs.length;
        value(await shell.run(plain('true'), { timeoutMs: 30_000, signal: never }));
        const last = cloud.runs.slice(before).at(-1);
        return Math.ceil((last?.options.timeoutMs ?? 0) / 1_000);
      };
      const first = await times();
      assert.ok(first > 500 && first <= 600, `${first} s`);
      assert.ok((await times()) <= 30);
    });
  }
});

describe('an instance that is not on', { concurrency: 3 }, () => {
  for (const status of ['STOPPED', 'STOPPING', 'DELETING', 'STARTING', 'FAILURE']) {
    it(`${status}: nothing is run on it`, async (t) => {
      const cloud = await cloudFor(t);
      const gpu = await cloud.add({ name: 'gpu1', status });
      const outcome = await cloud.shells.shell({ instanceId: gpu.id, instanceName: 'gpu1' });
      assert.equal(failureOf(outcome).kind, 'instanceNotRunning');
      assert.deepEqual(cloud.counts(), { ssh: 0, cli: [] });
    });
  }

  it('gone: nothing is run on it', async (t) => {
    const cloud = await cloudFor(t);
    const outcome = await cloud.shells.shell({ instanceId: 'nosuch', instanceName: 'gpu1' });
    assert.equal(failureOf(outcome).kind, 'instanceNotFound');
  });

  it('any more: is not started by an old shell that falls back to exec', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const shell = await shellOn(cloud.shells, gpu);
    await way(shell);
    await cutOff(gpu);
    await cloud.sim.update(gpu.id, { status: 'STOPPED' });
    cloud.clock.leap(10_000);
    for (const outcome of [
      await shell.run(WHERE, options),
      await shell.stream(WHERE, () => undefined, never),
      await shell.upload([{ path: 'x', content: Buffer.from('x') }], options),
      await shell.run(WHERE, { ...options, input: Buffer.from('secret') }),
      await shell.download('x', () => undefined, options),
    ]) {
      assert.equal(failureOf(outcome).kind, 'instanceNotRunning');
    }
    assert.deepEqual(
      cloud.counts().cli.filter((name) => name !== 'refresh'),
      [],
    );
    assert.equal((await cloud.sim.instance(gpu.id)).status, 'STOPPED');
  });
});

describe('the machine behind the alias', { concurrency: 3 }, () => {
  it('has another name: is not used', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' }, { hostName: 'brev-zzzzzzzzz' });
    const shell = await shellOn(cloud.shells, gpu);
    assert.equal(await way(shell), 'exec');
    assert.match(reason(cloud.shells.route(gpu.id)), /lead to another machine \(brev-zzzzzzzzz\) than gpu1/);
    await eventually(() => cloud.sshProcesses().length === 0);
  });

  it('is the one that had the name before: the config is refreshed, and the new one used', async (t) => {
    const cloud = await cloudFor(t);
    const old = await cloud.add({ name: 'gpu1' });
    await way(await shellOn(cloud.shells, old));
    const stale = await readFile(configOf(cloud.sim), 'utf8');
    await cloud.sim.cloud((state) => {
      state.instances = state.instances.filter(({ id }) => id !== old.id);
    });
    const fresh = await cloud.add({ name: 'gpu1' });
    const shell = await shellOn(cloud.shells, fresh);
    await eventually(() => old.sshd.connections().length === 0);
    assert.equal(await readFile(configOf(cloud.sim), 'utf8'), stale);
    const { stdout } = value(await shell.run(WHERE, options));
    assert.equal(stdout, `brev-${fresh.id}\n`);
    assert.equal(shell.route, 'ssh');
    assert.ok(existsSync(path.join(fresh.home, 'visited')));
    assert.ok(!existsSync(path.join(old.home, 'visited')));
    assert.equal(cloud.shells.route(old.id), undefined);
  });

  it('moved: the config is refreshed, and the new address used', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const shell = await shellOn(cloud.shells, gpu);
    await way(shell);
    await gpu.sshd.refuse();
    gpu.sshd.drop();
    const before = gpu.sshd.port;
    const { sshd } = gpu;
    await sshd.accept(await freePort());
    await cloud.sim.update(gpu.id, { sshPort: sshd.port });
    assert.notEqual(sshd.port, before);
    assert.equal(await way(shell), 'ssh');
    assert.deepEqual(cloud.counts().cli, ['refresh', 'refresh']);
  });

  it('has a name of its own: a config that was refreshed by this window is believed', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' }, { hostName: '9f86d081884c' });
    const shell = await shellOn(cloud.shells, gpu);
    assert.equal(await way(shell), 'ssh');
    gpu.sshd.drop();
    assert.equal(await way(shell), 'ssh');
    assert.deepEqual(cloud.counts().cli, ['refresh']);
    assert.equal(await way(await shellOn(cloud.anotherWindow(), gpu)), 'ssh');
    assert.deepEqual(cloud.counts().cli, ['refresh', 'refresh']);
  });

  it('has a name of its own, and the config cannot be refreshed: is not used', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' }, { hostName: '9f86d081884c' });
    value(await cloud.brev.execute(refresh()));
    await cloud.sim.scenario([{ kind: 'no-cloudflared', command: 'refresh', count: 'always' }]);
    const shell = await shellOn(cloud.shells, gpu);
    assert.equal(await way(shell), 'exec');
    assert.match(reason(cloud.shells.route(gpu.id)), /could not be made sure/);
  });

  it('has a name of its own, and the refresh shows another address: that one is used', async (t) => {
    const cloud = await cloudFor(t);
    const other = await cloud.add({ name: 'other' }, { hostName: 'c0ffee' });
    const gpu = await cloud.add({ name: 'gpu1' }, { hostName: '9f86d081884c' });
    await way(await shellOn(cloud.shells, other));
    const { port, user } = other.sshd;
    const keyFile = path.join(cloud.sim.home, '.brev/brev.pem');
    await writeFile(configOf(cloud.sim), sshConfig(['gpu1'], { port, user, keyFile }));
    const { stdout } = value(await (await shellOn(cloud.anotherWindow(), gpu)).run(WHERE, options));
    assert.equal(stdout, '9f86d081884c\n');
    assert.ok(!existsSync(path.join(other.home, 'visited')));
  });
});

describe('what happens to an instance', { concurrency: 3 }, () => {
  it('it goes: its connection is closed', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    await cloud.add({ name: 'gpu2' });
    await way(await shellOn(cloud.shells, gpu));
    await cloud.sim.cloud((state) => {
      state.instances = state.instances.filter(({ id }) => id !== gpu.id);
    });
    await cloud.store.refresh();
    await eventually(() => cloud.sshProcesses().length === 0);
    assert.equal(cloud.shells.route(gpu.id), undefined);
  });

  it('another organisation becomes the active one: the connections are closed', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    await cloud.add({ name: 'gpu1', orgId: 'org-vision' });
    await way(await shellOn(cloud.shells, gpu));
    value(await cloud.brev.execute(setOrganisation('Vision-Lab')));
    await cloud.store.refresh();
    await eventually(() => cloud.sshProcesses().length === 0);
    const outcome = await cloud.shells.shell({ instanceId: gpu.id, instanceName: 'gpu1' });
    assert.equal(failureOf(outcome).kind, 'instanceNotFound');
  });

  it('it stops and starts: the way is looked for again, without a grudge', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    await gpu.sshd.refuse();
    const shell = await shellOn(cloud.shells, gpu);
    const restart = async () => {
      for (const status of ['STOPPED', 'RUNNING']) {
        await cloud.sim.update(gpu.id, { status });
        await cloud.store.refresh();
      }
      assert.deepEqual(cloud.shells.route(gpu.id), { route: 'undecided' });
    };
    assert.equal(await way(shell), 'exec');
    await restart();
    assert.equal(await way(shell), 'exec');
    const state = cloud.shells.route(gpu.id);
    assert.ok(state?.route === 'exec');
    assert.equal((state.retryAt ?? 0) - state.since, 60_000);
    await gpu.sshd.accept();
    await restart();
    assert.equal(await way(shell), 'ssh');
  });

  it('the shells are disposed of: nothing is left, not even while they connect', async (t) => {
    const cloud = await cloudFor(t);
    const gpu = await cloud.add({ name: 'gpu1' });
    const shell = await shellOn(cloud.shells, gpu);
    await way(shell);
    const window = cloud.anotherWindow();
    const other = await shellOn(window, gpu);
    gpu.sshd.freeze();
    const answer = other.run(WHERE, options);
    await eventually(() => cloud.sshProcesses().some(({ command }) => !command.endsWith('[mux]')));
    await Promise.all([window.dispose(), cloud.shells.dispose()]);
    gpu.sshd.thaw();
    await answer;
    await eventually(() => cloud.sshProcesses().length === 0);
  });
});
