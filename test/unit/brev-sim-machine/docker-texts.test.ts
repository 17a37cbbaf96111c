import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Machine, TAO_IMAGE } from './machine.ts';

const DOWN =
  'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?';

function usage(command: string, tail: string, message: string): string {
  return `${message}\n\nUsage:  docker ${command} ${tail}\n\nRun 'docker ${command} --help' for more information\n`;
}

const RUN = '[OPTIONS] IMAGE [COMMAND] [ARG...]';

/** Each was compared with the real client, docker 28.2.2 without an engine: argv, rc, stdout, stderr. */
const WITHOUT_ENGINE: [string[], number, string, string][] = [
  [['run', '--bogus', 'x'], 125, '', usage('run', RUN, 'unknown flag: --bogus')],
  [['run', '-dx', 'ubuntu'], 125, '', usage('run', RUN, "unknown shorthand flag: 'x' in -x")],
  [['run', '-e'], 125, '', usage('run', RUN, "flag needs an argument: 'e' in -e")],
  [['run', '--name'], 125, '', usage('run', RUN, 'flag needs an argument: --name')],
  [
    ['run', '--shm-size', 'abc', 'ubuntu'],
    125,
    '',
    usage('run', RUN, 'invalid argument "abc" for "--shm-size" flag: invalid size: \'abc\''),
  ],
  [
    ['run', '--rm=maybe', 'ubuntu'],
    125,
    '',
    usage(
      'run',
      RUN,
      'invalid argument "maybe" for "--rm" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
    ),
  ],
  [
    ['run', '--gpus', 'foo=bar', 'ubuntu'],
    125,
    '',
    usage('run', RUN, 'invalid argument "foo=bar" for "--gpus" flag: unexpected key \'foo\' in \'foo=bar\''),
  ],
  [
    ['run', '--restart', 'always', '--rm', 'ubuntu'],
    125,
    '',
    "docker: conflicting options: cannot specify both --restart and --rm\n\nRun 'docker run --help' for more information\n",
  ],
  [
    ['run', '--env-file', '/nonexist', 'ubuntu'],
    125,
    '',
    "docker: open /nonexist: no such file or directory\n\nRun 'docker run --help' for more information\n",
  ],
  [
    ['run', 'Bad Image'],
    125,
    '',
    "docker: invalid reference format: repository name (library/Bad Image) must be lowercase\n\nRun 'docker run --help' for more information\n",
  ],
  [['run', '-it', 'ubuntu'], 1, '', 'the input device is not a TTY\n'],
  [['run', 'ubuntu', 'true'], 125, '', `docker: ${DOWN}\n\nRun 'docker run --help' for more information\n`],
  [
    ['run'],
    1,
    '',
    `docker: 'docker run' requires at least 1 argument\n\nUsage:  docker run ${RUN}\n\nSee 'docker run --help' for more information\n`,
  ],
  [['bogus'], 1, '', "docker: unknown command: docker bogus\n\nRun 'docker --help' for more information\n"],
  [['ps'], 1, '', `${DOWN}\n`],
  [['ps', '--format', '{{.Foo'], 1, '', 'failed to parse template: template: :1: unclosed action\n'],
  [['inspect', 'x'], 1, '[]\n', `${DOWN}\n`],
  [['inspect', '--format', '{{.Id}}', 'x'], 1, '\n', `${DOWN}\n`],
  [['inspect', '--format', '{{.Foo', 'x'], 64, '', 'template parsing error: template: :1: unclosed action\n'],
  [['image', 'inspect', 'x'], 1, '[]\n', `${DOWN}\n`],
  [['start', 'x'], 1, '', `${DOWN}\nError: failed to start containers: x\n`],
  [
    ['logs'],
    1,
    '',
    "docker: 'docker logs' requires 1 argument\n\nUsage:  docker logs [OPTIONS] CONTAINER\n\nRun 'docker logs --help' for more information\n",
  ],
  [
    ['stop', '-t', 'abc', 'x'],
    125,
    '',
    usage(
      'stop',
      '[OPTIONS] CONTAINER [CONTAINER...]',
      'invalid argument "abc" for "-t, --timeout" flag: strconv.ParseInt: parsing "abc": invalid syntax',
    ),
  ],
  [['login', 'nvcr.io'], 1, '', 'Error: Cannot perform an interactive login from a non TTY device\n'],
  [['login', 'nvcr.io', '-u', '', '--password-stdin'], 1, '', 'username is empty\n'],
  [
    ['login', 'nvcr.io', '--password-stdin'],
    1,
    '',
    'the --password-stdin option requires --username to be set\n',
  ],
  [['logout', 'nvcr.io'], 0, 'Removing login credentials for nvcr.io\n', ''],
  [['--version'], 0, 'Docker version 28.2.2, build e6534b4\n', ''],
  [['version', '--format', '{{.Client.Version}}'], 1, '28.2.2\n', `${DOWN}\n`],
];

describe('docker’s own texts', { concurrency: 2 }, () => {
  it('are those of the real client when the engine is down', async () => {
    using machine = new Machine();
    machine.write('docker-faults.json', { daemon: 'down' });
    for (const [args, code, stdout, stderr] of WITHOUT_ENGINE) {
      const outcome = await machine.docker(...args);
      assert.deepEqual([args, outcome.code, outcome.stdout, outcome.stderr], [args, code, stdout, stderr]);
    }
  });

  it('a socket that needs root says so, and sudo -n helps', async () => {
    using machine = new Machine().withImages();
    machine.write('docker-faults.json', { daemon: 'permission' });
    const refused = await machine.docker('ps');
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^permission denied while trying to connect to the Docker daemon socket at unix:\/\/\/var\/run\/docker\.sock: Get "http:\/\/%2Fvar%2Frun%2Fdocker\.sock\/v1\.50\/containers\/json": dial unix \/var\/run\/docker\.sock: connect: permission denied\n$/,
    );
    const helped = await machine.run('sudo', ['-n', 'docker', 'run', '-q', 'ubuntu', 'echo', 'root']);
    assert.deepEqual([helped.code, helped.stdout], [0, 'root\n']);
  });

  it('a machine without a GPU prints the id, then the driver error, and keeps a created container', async () => {
    using machine = new Machine().withImages();
    machine.write('no-gpu', '');
    const outcome = await machine.docker(
      'run',
      '-q',
      '-d',
      '--name',
      'job',
      '--gpus',
      'all',
      TAO_IMAGE,
      'true',
    );
    assert.equal(outcome.code, 125);
    assert.match(outcome.stdout, /^[0-9a-f]{64}\n$/);
    assert.equal(
      outcome.stderr,
      'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]]\n\nRun \'docker run --help\' for more information\n',
    );
    assert.equal(
      await machine.inspect('job', '{{.State.Status}}|{{.State.ExitCode}}|{{.State.Error}}'),
      'created|128|could not select device driver "" with capabilities: [[gpu]]',
    );
  });

  it('GPU ids with a bare comma are two requests, in inner quotes they are one', async () => {
    using machine = new Machine().withImages();
    const bare = await machine.docker('run', '-q', '--gpus', 'device=0,1', 'ubuntu', 'true');
    assert.match(bare.stderr, /cannot set both Count and DeviceIDs on device request/);
    assert.equal(
      (await machine.docker('run', '-q', '--name', 'job', '--gpus', '"device=0,1"', 'ubuntu', 'true')).code,
      0,
    );
    assert.equal(
      await machine.inspect('job', '{{json .HostConfig.DeviceRequests}}'),
      '[{"Driver":"","Count":0,"DeviceIDs":["0","1"],"Capabilities":[["gpu"]],"Options":{}}]',
    );
    const beyond = await machine.docker('run', '-q', '--gpus', 'device=7', 'ubuntu', 'true');
    assert.match(beyond.stderr, /nvidia-container-cli: device error: 7: unknown device/);
  });

  it('missing things are told apart', async () => {
    using machine = new Machine().withImages();
    const cases: [string[], number, string, string][] = [
      [['inspect', 'x'], 1, '[]\n', 'Error: No such object: x\n'],
      [['inspect', '--format', '{{.Id}}', 'x'], 1, '\n', 'Error: No such object: x\n'],
      [['container', 'inspect', 'x'], 1, '[]\n', 'Error response from daemon: No such container: x\n'],
      [['image', 'inspect', 'x'], 1, '[]\n', 'Error response from daemon: No such image: x:latest\n'],
      [['logs', 'x'], 1, '', 'Error response from daemon: No such container: x\n'],
      [['wait', 'x'], 1, '', 'Error response from daemon: No such container: x\n'],
      [['stop', 'x'], 1, '', 'Error response from daemon: No such container: x\n'],
      [
        ['start', 'x'],
        1,
        '',
        'Error response from daemon: No such container: x\nError: failed to start containers: x\n',
      ],
    ];
    for (const [args, code, stdout, stderr] of cases) {
      const outcome = await machine.docker(...args);
      assert.deepEqual([args, outcome.code, outcome.stdout, outcome.stderr], [args, code, stdout, stderr]);
    }
  });

  it('a cid file is written once', async () => {
    using machine = new Machine().withImages();
    const cid = join(machine.home, 'job.cid');
    await machine.docker('run', '-q', '--name', 'job', '--cidfile', cid, 'ubuntu', 'true');
    assert.equal(machine.read('home/job.cid'), await machine.inspect('job', '{{.Id}}'));
    const again = await machine.docker('run', '--cidfile', cid, 'ubuntu', 'true');
    assert.deepEqual(
      [again.code, again.stderr],
      [
        125,
        `docker: container ID file found, make sure the other container isn't running or delete ${cid}\n\nRun 'docker run --help' for more information\n`,
      ],
    );
  });

  it('a bind mount of what is not there: -v makes it, --mount refuses', async () => {
    using machine = new Machine().withImages();
    await machine.docker('run', '-q', '-v', `${machine.home}/made:/data`, 'ubuntu', 'touch', '/data/x');
    assert.equal(machine.read('home/made/x'), '');
    const refused = await machine.docker(
      'run',
      '--mount',
      'type=bind,src=/nonexist,dst=/data',
      'ubuntu',
      'true',
    );
    assert.equal(refused.code, 125);
    assert.match(
      refused.stderr,
      /invalid mount config for type "bind": bind source path does not exist: \/nonexist\n/,
    );
  });

  it('an injected run fault comes as often as it was told to', async () => {
    using machine = new Machine().withImages();
    machine.write('docker-faults.json', { run: [{ error: 'create', times: 1 }] });
    const failed = await machine.docker('run', '-q', '-d', 'ubuntu', 'true');
    assert.deepEqual([failed.code, failed.stdout], [125, '']);
    assert.match(failed.stderr, /no space left on device/);
    assert.equal((await machine.docker('run', '-q', 'ubuntu', 'true')).code, 0);
  });

  it('an engine that hangs lets the client be killed', async () => {
    using machine = new Machine();
    machine.write('docker-faults.json', { daemon: 'hang' });
    const client = machine.start('docker', ['ps']);
    client.kill('SIGTERM');
    assert.equal((await client.done).signal, 'SIGTERM');
  });

  it('an env file is read by docker alone, quotes and all', async () => {
    using machine = new Machine().withImages();
    const file = join(machine.home, 'bad.env');
    writeFileSync(file, 'A B=c\n');
    const bad = await machine.docker('run', '--env-file', file, 'ubuntu', 'true');
    assert.match(
      bad.stderr,
      /^docker: invalid env file \(.*bad\.env\): variable 'A B' contains whitespaces\n/,
    );
  });
});
