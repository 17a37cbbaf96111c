import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Machine } from './machine.ts';

const TRAP = "trap 'echo caught; exit 5' TERM; echo up; read -r _ < /ctl/gate & wait";

async function startContainer(machine: Machine, flags: string[], script: string): Promise<void> {
  machine.gate('gate');
  const common = ['run', '-q', '-d', '--name', 'job', '-v', `${machine.home}:/ctl`, ...flags];
  await machine.docker(...common, 'ubuntu', 'bash', '-c', script);
  const logs = machine.start('docker', ['logs', '--follow', 'job']);
  await logs.until('up');
  logs.kill('SIGKILL');
  await logs.done;
}

describe('signals', () => {
  it('stop lets a first process that listens end by itself', async () => {
    using machine = new Machine(1).withImages();
    await startContainer(machine, [], TRAP);
    const stopped = await machine.docker('stop', 'job');
    assert.deepEqual([stopped.code, stopped.stdout], [0, 'job\n']);
    assert.equal(await machine.inspect('job', '{{.State.ExitCode}}'), '5');
    assert.equal((await machine.docker('logs', 'job')).stdout, 'up\ncaught\n');
  });

  it('a first process that does not listen never sees the signal: stop kills it when the time is up', async () => {
    using machine = new Machine().withImages();
    await startContainer(machine, [], 'echo up; read -r _ < /ctl/gate');
    await machine.docker('stop', '-t', '1', 'job');
    assert.equal(await machine.inspect('job', '{{.State.ExitCode}}'), '137');
  });

  it('under an init it dies of the signal', async () => {
    using machine = new Machine(1).withImages();
    await startContainer(machine, ['--init'], 'echo up; read -r _ < /ctl/gate');
    await machine.docker('stop', 'job');
    assert.equal(await machine.inspect('job', '{{.State.ExitCode}}'), '143');
  });

  it('kill sends what it is told, and a second kill says that nothing runs', async () => {
    using machine = new Machine(1).withImages();
    await startContainer(machine, [], TRAP);
    assert.equal((await machine.docker('kill', '-s', 'TERM', 'job')).code, 0);
    assert.equal((await machine.docker('wait', 'job')).stdout, '5\n');
    const again = await machine.docker('kill', 'job');
    const id = await machine.inspect('job', '{{.Id}}');
    assert.deepEqual(
      [again.code, again.stderr],
      [1, `Error response from daemon: cannot kill container: job: container ${id} is not running\n`],
    );
  });

  it('rm refuses a running container, rm -f ends and removes it, rm -f of nothing only says so', async () => {
    using machine = new Machine(1).withImages();
    await startContainer(machine, [], TRAP);
    const refused = await machine.docker('rm', 'job');
    assert.deepEqual(
      [refused.code, refused.stderr],
      [
        1,
        'Error response from daemon: cannot remove container "/job": container is running: stop the container before removing or force remove\n',
      ],
    );
    assert.equal((await machine.docker('rm', '-f', 'job')).stdout, 'job\n');
    assert.deepEqual(machine.processes('contained'), []);
    const nothing = await machine.docker('rm', '-f', 'job');
    assert.deepEqual(
      [nothing.code, nothing.stdout, nothing.stderr],
      [0, '', 'Error response from daemon: No such container: job\n'],
    );
  });

  it('a killed client leaves its foreground container running', async () => {
    using machine = new Machine(1).withImages();
    const gate = machine.gate('gate');
    const script = 'echo up; read -r _ < /ctl/gate; exit 6';
    const client = machine.start('docker', [
      ...['run', '-q', '--name', 'job', '-v', `${machine.home}:/ctl`, 'ubuntu', 'bash', '-c', script],
    ]);
    await client.until('up');
    client.kill('SIGKILL');
    await client.done;
    assert.equal(await machine.inspect('job', '{{.State.Status}}'), 'running');
    const waiting = machine.docker('wait', 'job');
    await gate.open();
    assert.equal((await waiting).stdout, '6\n');
  });

  it('a foreground client hands its SIGTERM to the container', async () => {
    using machine = new Machine(1).withImages();
    machine.gate('gate');
    const client = machine.start('docker', [
      ...['run', '-q', '--name', 'job', '-v', `${machine.home}:/ctl`, 'ubuntu', 'bash', '-c', TRAP],
    ]);
    await client.until('up');
    client.kill('SIGTERM');
    const outcome = await client.done;
    assert.deepEqual([outcome.code, outcome.stdout], [5, 'up\ncaught\n']);
  });

  it('an attached client without --sig-proxy dies alone', async () => {
    using machine = new Machine(1).withImages();
    await startContainer(machine, [], TRAP);
    const client = machine.start('docker', ['attach', '--no-stdin', '--sig-proxy=false', 'job']);
    const other = machine.start('docker', ['wait', 'job']);
    client.kill('SIGTERM');
    assert.equal((await client.done).signal, 'SIGTERM');
    assert.equal(await machine.inspect('job', '{{.State.Status}}'), 'running');
    await machine.docker('kill', 'job');
    assert.equal((await other.done).stdout, '137\n');
  });
});
