import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createSim, mintToken, type Sim, type SimOptions } from '../../brev-sim/sim.ts';
import { eventually } from '../../contract/support/eventually.ts';

const run = promisify(execFile);
const QUIET = { DO_NOT_TRACK: '1', SSH_AUTH_SOCK: '/nonexistent' };

async function withSim(options: SimOptions, body: (sim: Sim) => Promise<void>): Promise<void> {
  const sim = await createSim({ speed: 100, ...options });
  try {
    await body(sim);
  } finally {
    await sim.dispose();
  }
}

const brev = async (sim: Sim, args: string[], env: Record<string, string> = {}) => {
  const promise = run(sim.brevPath, args, { env: { ...sim.env, ...QUIET, ...env } });
  promise.child.stdin?.end();
  return (await promise).stdout;
};

test('sim.env alone is enough for brev to be found and to work', () =>
  withSim({}, async (sim) => {
    await sim.addInstance({ name: 'a' });
    const { stdout } = await run('brev', ['ls', '--json'], { env: sim.env });
    assert.match(stdout, /"name": "a"/);
  }));

test('calls are logged at their begin and their end', () =>
  withSim({}, async (sim) => {
    await sim.scenario([{ kind: 'hang', command: 'search' }]);
    await brev(sim, ['ls', '--json']);
    await assert.rejects(brev(sim, ['nonsense'], { SSH_AUTH_SOCK: '' }));
    const hung = spawn(sim.brevPath, ['search'], { env: sim.env, stdio: 'ignore' });
    const isLogged = async () => (await sim.calls()).some(({ pid }) => pid === hung.pid);
    await eventually(isLogged);
    hung.kill('SIGKILL');
    await once(hung, 'exit');
    const calls = await sim.calls();
    const [ls, nonsense] = calls;
    assert.deepEqual([ls?.args, ls?.exitCode, ls?.stdin], [['ls', '--json'], 0, 'socket']);
    assert.deepEqual([ls?.env.DO_NOT_TRACK, ls?.env.SSH_AUTH_SOCK], ['1', true]);
    assert.deepEqual([nonsense?.exitCode, nonsense?.env.SSH_AUTH_SOCK], [1, false]);
    assert.equal(typeof ls?.durationMs, 'number');
    const search = calls.find(({ args }) => args[0] === 'search');
    assert.deepEqual([search?.exitCode, search?.stdin, search?.pid], [null, 'null', hung.pid]);
  }));

test('an existing root is opened as it is, by another Sim too', () =>
  withSim({ version: '0.6.322' }, async (sim) => {
    const { id } = await sim.addInstance({ name: 'a' });
    const other = await createSim({ root: sim.root, version: '0.6.327' });
    assert.equal((await other.instance('a')).id, id);
    assert.match(await brev(other, ['ls', '--json']), /^\[/);
    await other.removeInstance('a');
    await assert.rejects(sim.instance('a'), /no instance a/);
    await other.dispose();
    assert.ok(existsSync(sim.root), 'only who made it removes it');
  }));

test('dispose ends what runs on the machines, agents and tunnels, and removes the root', async () => {
  const sim = await createSim({ speed: 100 });
  await sim.addInstance({ name: 'a' });
  await brev(sim, ['refresh']);
  await brev(
    sim,
    [
      'exec',
      'a',
      'setsid sleep 1000 </dev/null >/dev/null 2>&1 & setsid sleep 1000 </dev/null >/dev/null 2>&1 &',
    ],
    { SSH_AUTH_SOCK: '' },
  );
  const before = [...(await sim.remoteProcesses('a')), ...(await sim.leakedAgents())];
  assert.equal(before.length, 3);
  await sim.dispose();
  assert.ok(!existsSync(sim.root));
  for (const pid of before) assert.ok(!existsSync(`/proc/${pid}/cwd`), `${pid} is gone`);
});

test('update changes a record for good, in the middle of a change of state too', () =>
  withSim({ speed: 1 }, async (sim) => {
    await sim.addInstance({ name: 'a', motion: { kind: 'deploy', since: Date.now(), outcome: 'ok' } });
    assert.equal((await sim.instance('a')).status, 'DEPLOYING');
    await sim.update('a', { healthStatus: 'UNHEALTHY' });
    assert.equal((await sim.instance('a')).status, 'DEPLOYING');
    await sim.update('a', { status: 'FAILURE' });
    assert.equal((await sim.instance('a')).status, 'FAILURE');
  }));

test('a status may flap from list to list', () =>
  withSim({}, async (sim) => {
    await sim.addInstance({ name: 'a', cycle: ['STARTING', 'FAILURE'] });
    const seen: string[] = [];
    for (let round = 0; round < 4; round++) {
      seen.push(/"status": "(\w+)"/.exec(await brev(sim, ['ls', '--json']))?.[1] ?? '');
    }
    assert.deepEqual(seen, ['STARTING', 'FAILURE', 'STARTING', 'FAILURE']);
  }));

test('faults: the nth call, a count, always, one argument, and by environment', () =>
  withSim({}, async (sim) => {
    const fails = async (args: string[], env = {}) =>
      await brev(sim, args, env).then(
        () => '-',
        () => 'F',
      );
    await sim.scenario([{ kind: 'error', command: 'ls', nth: 2, count: 2 }]);
    const row = [];
    for (let round = 0; round < 4; round++) row.push(await fails(['ls']));
    assert.equal(row.join(''), '-FF-');
    await sim.scenario([{ kind: 'error', command: 'ls', arg: 'orgs', count: 'always' }]);
    assert.equal(
      (await fails(['ls'])) + (await fails(['ls', 'orgs'])) + (await fails(['ls', 'orgs'])),
      '-FF',
    );
    await sim.scenario([{ kind: 'error', command: 'ls' }]);
    assert.equal(
      (await fails(['search'])) + (await fails(['ls'])) + (await fails(['ls'])),
      '-F-',
      'once, if nothing is said',
    );
    await sim.scenario([]);
    const env = { BREV_SIM_FAULTS: JSON.stringify([{ kind: 'error', exitCode: 3 }]) };
    assert.equal((await fails(['ls'], env)) + (await fails(['ls'], env)), 'F-');
  }));

test('parallel calls share the count of a fault', () =>
  withSim({}, async (sim) => {
    await sim.scenario([{ kind: 'error', command: 'ls', count: 3 }]);
    const ends = await Promise.allSettled(Array.from({ length: 8 }, () => brev(sim, ['ls'])));
    assert.equal(ends.filter(({ status }) => status === 'rejected').length, 3);
  }));

test('a scenario that is none is refused', () =>
  withSim({}, async (sim) => {
    // @ts-expect-error a kind that doesn't exist
    await assert.rejects(sim.scenario([{ kind: 'earthquake' }]));
  }));

test('parallel creates and deletes lose nothing', () =>
  withSim({}, async (sim) => {
    const names = Array.from({ length: 6 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => brev(sim, ['create', name, '-d', '--type', 'g5.xlarge'])));
    assert.deepEqual(
      (await sim.instances()).map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1)),
      names,
    );
    await Promise.all(names.map((name) => brev(sim, ['delete', name])));
    for (const { status } of await sim.instances()) assert.equal(status, 'DELETING');
  }));

test('a machine knows its GPUs and sees no docker of the computer that plays it', () =>
  withSim({ machineSpeed: 7 }, async (sim) => {
    const gpu = await sim.addInstance({ name: 'big', type: 'gpu-h100-sxm.8gpu-128vcpu-1600gb' });
    const cpu = await sim.addInstance({ name: 'small', type: 'n2d-standard-2' });
    const facts = JSON.parse(await readFile(join(gpu.machine, 'machine.json'), 'utf8'));
    assert.partialDeepStrictEqual(facts, { gpuName: 'H100', gpuCount: 8, vramMb: 81_920 });
    assert.equal(await readFile(join(gpu.machine, 'speed'), 'utf8'), '7\n');
    assert.ok(!existsSync(join(gpu.machine, 'no-gpu')));
    assert.ok(existsSync(join(cpu.machine, 'no-gpu')));
    assert.ok((await lstat(join(cpu.machine, 'bin', 'docker'))).isFile());
    await sim.addInstance({ name: 'bare', docker: false });
    await brev(sim, ['refresh']);
    assert.equal(
      await brev(sim, ['exec', 'bare', 'command -v docker podman brev || echo none']),
      'none\nbare\n',
    );
    assert.match(await brev(sim, ['exec', 'bare', 'command -v ls cat grep | wc -l']), /^3\n/);
  }));

test('minted tokens have the three parts of a JWT and an expiry', () => {
  const claims = JSON.parse(
    Buffer.from(mintToken({ expiresInSeconds: 60 }).split('.')[1] ?? '', 'base64url').toString(),
  );
  const left = claims.exp - Date.now() / 1000;
  assert.ok(left > 50 && left <= 61);
});

test('a reader that goes away ends brev quietly', () =>
  withSim({}, async (sim) => {
    const child: ChildProcess = spawn(sim.brevPath, ['search', '--json'], {
      env: { ...sim.env, ...QUIET },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout?.destroy();
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    await once(child, 'close');
    assert.equal(stderr, '');
  }));

test('an exec may start elsewhere than at home, and the log of calls has the proxy', () =>
  withSim({}, async (sim) => {
    await sim.addInstance({ name: 'a', startDir: '/' });
    await brev(sim, ['refresh']);
    assert.equal(await brev(sim, ['exec', 'a', 'pwd'], { HTTPS_PROXY: 'http://u:p@h:1' }), '/\na\n');
    assert.equal((await sim.calls()).at(-1)?.env.HTTPS_PROXY, 'http://u:p@h:1');
  }));
