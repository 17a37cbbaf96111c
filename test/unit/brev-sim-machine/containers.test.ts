import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Machine } from './machine.ts';

describe('containers', () => {
  it('a foreground run has the command as its output and its exit code', async () => {
    using machine = new Machine().withImages();
    const outcome = await machine.docker(
      'run',
      '-q',
      'ubuntu',
      'bash',
      '-c',
      'echo out; echo err >&2; exit 7',
    );
    assert.deepEqual([outcome.code, outcome.stdout, outcome.stderr], [7, 'out\n', 'err\n']);
  });

  it('a detached run prints the id and leaves a container that can be looked at until it is removed', async () => {
    using machine = new Machine().withImages();
    const started = await machine.docker(
      ...['run', '-q', '-d', '--name', 'job', '--label', 'tao-job=7', 'ubuntu', 'bash', '-c', 'exit 3'],
    );
    assert.match(started.stdout, /^[0-9a-f]{64}\n$/);
    assert.equal((await machine.docker('wait', 'job')).stdout, '3\n');
    const line = await machine.inspect(
      'job',
      '{{.Id}}|{{.State.Status}}|{{.State.ExitCode}}|{{.State.OOMKilled}}|{{.State.StartedAt}}|{{.State.FinishedAt}}|{{.State.Error}}|{{index .Config.Labels "tao-job"}}',
    );
    const [id, status, code, oom, startedAt = '', finishedAt = '', error, label] = line.split('|');
    assert.deepEqual(
      [id, status, code, oom, error, label],
      [started.stdout.trim(), 'exited', '3', 'false', '', '7'],
    );
    for (const time of [startedAt, finishedAt])
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/);
    assert.ok(startedAt < finishedAt);
    assert.equal((await machine.docker('rm', 'job')).stdout, 'job\n');
    assert.equal((await machine.docker('ps', '-aq')).stdout, '');
  });

  it('a name in use is a conflict that names its owner, and the first container goes on', async () => {
    using machine = new Machine().withImages();
    const gate = machine.gate('gate');
    const command = ['-v', `${machine.home}:/ctl`, 'ubuntu', 'bash', '-c', 'read -r _ < /ctl/gate'];
    const first = await machine.docker('run', '-q', '-d', '--name', 'job', ...command);
    const second = await machine.docker('run', '-d', '--name', 'job', ...command);
    const conflict = `Error response from daemon: Conflict. The container name "/job" is already in use by container "${first.stdout.trim()}". You have to remove (or rename) that container to be able to reuse that name.`;
    assert.deepEqual(
      [second.code, second.stdout, second.stderr],
      [125, '', `docker: ${conflict}\n\nRun 'docker run --help' for more information\n`],
    );
    const third = await machine.docker('create', '--name', 'job', 'ubuntu');
    assert.deepEqual([third.code, third.stderr], [1, `${conflict}\n`]);
    const waiting = machine.docker('wait', 'job');
    await gate.open();
    assert.equal((await waiting).stdout, '0\n');
  });

  it('of many runs at once with one name exactly one starts', async () => {
    using machine = new Machine().withImages();
    await machine.docker('pull', '-q', 'ubuntu');
    const runs = await Promise.all(
      Array.from({ length: 4 }, () =>
        machine.docker('run', '-d', '--name', 'one', 'ubuntu', 'bash', '-c', 'echo x'),
      ),
    );
    assert.deepEqual(runs.map(({ code }) => code).sort(), [0, 125, 125, 125]);
    await machine.docker('wait', 'one');
    assert.equal((await machine.docker('logs', 'one')).stdout, 'x\n');
  });

  it('created, then started and followed; started again, its log goes on', async () => {
    using machine = new Machine().withImages();
    await machine.docker('create', '-q', '--name', 'twice', 'ubuntu', 'bash', '-c', 'echo run; exit 4');
    assert.equal(
      await machine.inspect('twice', '{{.State.Status}} {{.State.StartedAt}}'),
      'created 0001-01-01T00:00:00Z',
    );
    const first = await machine.docker('start', '-a', 'twice');
    assert.deepEqual([first.code, first.stdout], [4, 'run\n']);
    const second = await machine.docker('start', '--attach', 'twice');
    assert.deepEqual([second.code, second.stdout], [4, 'run\n']);
    assert.equal((await machine.docker('logs', 'twice')).stdout, 'run\nrun\n');
  });

  it('--rm removes the container at its end, and hands the exit code out first', async () => {
    using machine = new Machine().withImages();
    const outcome = await machine.docker(
      'run',
      '-q',
      '--rm',
      '--name',
      'gone',
      'ubuntu',
      'bash',
      '-c',
      'exit 9',
    );
    assert.equal(outcome.code, 9);
    assert.equal((await machine.docker('ps', '-aq')).stdout, '');
    const logs = await machine.docker('logs', 'gone');
    assert.deepEqual([logs.code, logs.stderr], [1, 'Error response from daemon: No such container: gone\n']);
  });

  it('gets the environment that was asked for and nothing else of the caller', async () => {
    using machine = new Machine().withImages();
    const file = join(machine.home, 'job.env');
    writeFileSync(file, '# a comment\nFROM_FILE=a b\nQUOTED="q"\nSECRET_BY_NAME\n');
    const script =
      'printf "%s|" "$BY_NAME" "$PAIR" "$FROM_FILE" "$QUOTED" "$SECRET_BY_NAME" "$OTHER" "$ABSENT"';
    const outcome = await machine.run(
      'docker',
      [
        'run',
        '-q',
        '-e',
        'BY_NAME',
        '-e',
        'PAIR=x=y',
        '-e',
        'ABSENT',
        '--env-file',
        file,
        'ubuntu',
        'bash',
        '-c',
        script,
      ],
      { env: { BY_NAME: 'one', OTHER: 'no', SECRET_BY_NAME: 'nvapi-s' } },
    );
    assert.equal(outcome.stdout, 'one|x=y|a b|"q"|nvapi-s|||');
  });

  it('no secret of the caller stays in the environment of the process behind a container', async () => {
    using machine = new Machine().withImages();
    machine.gate('gate');
    await machine.run(
      'docker',
      ['run', '-q', '-d', '-v', `${machine.home}:/ctl`, 'ubuntu', 'bash', '-c', 'read -r _ < /ctl/gate'],
      { env: { NGC_KEY: 'nvapi-secret' } },
    );
    const pids = machine.processes();
    assert.ok(pids.length >= 2);
    for (const pid of pids) assert.doesNotMatch(readFileSync(`/proc/${pid}/environ`, 'utf8'), /nvapi-secret/);
  });

  it('a mount works both ways, under the path of the container', async () => {
    using machine = new Machine().withImages();
    writeFileSync(join(machine.home, 'in.txt'), 'given');
    const outcome = await machine.docker(
      ...['run', '-q', '-v', `${machine.home}:/data`, '-w', '/data', 'ubuntu'],
      ...[
        'bash',
        '-c',
        'cat /data/in.txt; mkdir -p /data/new && echo made > /data/new/out.txt; cat in.txt; echo x > /results',
      ],
    );
    assert.equal(outcome.stdout, 'givengiven');
    assert.equal(machine.read('home/new/out.txt'), 'made\n');
  });

  it('an installer in a container leaves the real machine alone', async () => {
    using machine = new Machine().withImages();
    const outcome = await machine.docker(
      'run',
      '-q',
      'python:3.12',
      'bash',
      '-c',
      'pip install x && apt-get install -y jq',
    );
    const said = 'nothing is installed in a simulated container';
    assert.deepEqual(
      [outcome.code, outcome.stdout, outcome.stderr],
      [0, '', `pip: ${said}\napt-get: ${said}\n`],
    );
  });

  it('a command that is not there is 127, a folder is 126, and the container says why', async () => {
    using machine = new Machine().withImages();
    const missing = await machine.docker('run', '-q', '--name', 'missing', 'ubuntu', 'no-such-program');
    assert.equal(missing.code, 127);
    assert.match(
      missing.stderr,
      /^docker: Error response from daemon: failed to create task .*exec: "no-such-program": executable file not found in \$PATH: unknown\n/,
    );
    assert.match(
      await machine.inspect('missing', '{{.State.Status}}|{{.State.ExitCode}}|{{.State.Error}}'),
      /^created\|127\|failed to create task/,
    );
    assert.equal((await machine.docker('run', '-q', 'ubuntu', '/usr')).code, 126);
  });

  it('a machine that goes down leaves its containers exited with 137', async () => {
    using machine = new Machine().withImages();
    machine.gate('gate');
    const command = ['run', '-q', '-d', '-v', `${machine.home}:/ctl`];
    await machine.docker(...command, '--name', 'lost', 'ubuntu', 'bash', '-c', 'read -r _ < /ctl/gate');
    assert.equal(await machine.inspect('lost', '{{.State.Status}}'), 'running');
    machine.killAll();
    assert.equal(
      await machine.inspect('lost', '{{.State.Status}} {{.State.ExitCode}} {{.State.Pid}}'),
      'exited 137 0',
    );
    assert.notEqual(await machine.inspect('lost', '{{.State.FinishedAt}}'), '0001-01-01T00:00:00Z');
    assert.equal((await machine.docker('wait', 'lost')).stdout, '137\n');
  });

  it('a machine that is shut down by signals leaves the same', async () => {
    using machine = new Machine().withImages();
    machine.gate('gate');
    const command = ['run', '-q', '-d', '-v', `${machine.home}:/ctl`, '--name', 'lost'];
    await machine.docker(...command, 'ubuntu', 'bash', '-c', 'read -r _ < /ctl/gate');
    const waiting = machine.start('docker', ['wait', 'lost']);
    // The waiting client is one of the machine's processes too: only the container's are told to end.
    for (const pid of machine.processes()) if (pid !== waiting.pid) process.kill(pid, 'SIGTERM');
    await waiting.done;
    assert.equal(await machine.inspect('lost', '{{.State.Status}} {{.State.ExitCode}}'), 'exited 137');
  });

  it('everything that a container started ends with it', async () => {
    using machine = new Machine().withImages();
    const outcome = await machine.docker(
      ...[
        'run',
        '-q',
        'ubuntu',
        'bash',
        '-c',
        'setsid sleep 1000 >/dev/null 2>&1 & sleep 1001 >/dev/null & echo up',
      ],
    );
    assert.equal(outcome.stdout, 'up\n');
    assert.deepEqual(machine.processes('contained'), []);
  });
});
