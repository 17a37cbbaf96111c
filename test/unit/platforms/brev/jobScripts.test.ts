import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { JobEnd } from '../../../../src/platforms/platform.ts';
import type { RunSpec } from '../../../../src/tao/runSpec.ts';
import { DockerMachine, type Followed, JOB, kill, SPEC, TARGET } from './dockerMachine.ts';

const SPEC_OF: RunSpec = {
  network: 'segformer',
  action: 'train',
  image: 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt',
  gpus: 'all',
  specFile: { name: 'spec.yaml', content: Buffer.from("name: 'it''s'\n") },
};

/** The end that a follower was told. */
function endOf({ end }: Followed): JobEnd {
  assert.ok(end.kind === 'finished', JSON.stringify(end));
  return end.end;
}

/** Submits and follows to the end. */
async function run(machine: DockerMachine, ...args: Parameters<DockerMachine['submit']>): Promise<Followed> {
  const submitted = await machine.submit(...args);
  assert.ok(submitted.kind === 'ok', JSON.stringify(submitted));
  return machine.follow();
}

const starts = (machine: DockerMachine): number => (machine.container('starts') ?? '').split('\n').length - 1;

describe('a job in a container', { concurrency: 2 }, () => {
  it('runs, is followed to its end, and the copy is the log', async (t) => {
    const machine = new DockerMachine(t);
    machine.program('echo "Epoch 1"; printf "\\rEpoch 2:  50%%|##"; echo oops >&2; printf "no line end"');
    const followed = await run(machine);
    assert.deepEqual(endOf(followed), { exitCode: 0, step: 'run', outOfMemory: false, error: '' });
    assert.ok(followed.log.equals(machine.log));
    assert.match(followed.log.toString(), /Epoch 1\n\rEpoch 2: {2}50%\|##.*no line end/s);
    assert.equal(starts(machine), 1);
  });

  it('gives each argument to docker as it is, with the paths of this machine', async (t) => {
    const machine = new DockerMachine(t);
    await run(machine, {
      kind: 'spec',
      spec: { ...SPEC_OF, network: "my 'net'\n$(x)", action: '@HOME', gpus: 3 },
    });
    const args = (machine.container('args') ?? '').split('\0');
    assert.ok(args.includes("my 'net'\n$(x)"));
    assert.ok(args.includes('@HOME'));
    assert.ok(args.includes(`${machine.home}/data:/data`));
    assert.ok(args.includes(`${machine.folder}/spec.yaml:/job/spec.yaml:ro`));
    assert.equal(args[args.indexOf('--gpus') + 1], '3');
    assert.equal(args[args.indexOf('--name') + 1], JOB);
    assert.ok(!args.includes('--rm'));
    assert.equal(machine.file('spec.yaml'), Buffer.from(SPEC_OF.specFile.content).toString());
  });

  it('tells the program’s own exit code', async (t) => {
    for (const exitCode of [1, 137]) {
      const machine = new DockerMachine(t);
      machine.program(
        `echo failing; ${exitCode === 137 ? 'echo true >"$1/oom"; kill -9 $$' : `exit ${exitCode}`}`,
      );
      const end = endOf(await run(machine));
      assert.equal(end.step, 'run');
      assert.equal(end.exitCode, exitCode);
      assert.equal(end.outOfMemory, exitCode === 137);
    }
  });

  it('is only for its owner', async (t) => {
    const machine = new DockerMachine(t);
    await run(machine);
    assert.equal(statSync(machine.folder).mode & 0o777, 0o700);
    for (const name of readdirSync(machine.folder)) {
      const file = path.join(machine.folder, name);
      assert.equal(statSync(file).mode & 0o077, 0, name);
    }
  });

  it('starts one container, however often its launch is replayed', async (t) => {
    const machine = new DockerMachine(t);
    machine.program('while [ ! -e "$1/go" ]; do sleep 0.02; done; echo done');
    const submits = await Promise.all([machine.submit(), machine.submit()]);
    assert.ok(submits.every(({ kind }) => kind === 'ok'));
    await machine.until(() => starts(machine) > 0);
    assert.equal((await machine.submit()).kind, 'ok');
    writeFileSync(path.join(machine.docker, 'containers', JOB, 'go'), '');
    const followed = await machine.follow();
    assert.equal(endOf(followed).exitCode, 0);
    assert.equal((await machine.submit()).kind, 'ok');
    assert.equal(starts(machine), 1);
    assert.deepEqual(readdirSync(path.join(machine.docker, 'containers')), [JOB]);
    assert.equal(followed.log.toString().match(/done/g)?.length, 1);
  });

  it('tells its steps as it goes', async (t) => {
    const machine = new DockerMachine(t);
    machine.fault('slow-pull');
    machine.program('while [ ! -e "$1/go" ]; do sleep 0.02; done');
    await machine.submit();
    const following = machine.follow();
    await machine.until(() => existsSync(path.join(machine.docker, 'pulling')));
    machine.mend('slow-pull');
    await machine.until(() => machine.file('step')?.trim() === 'run' && starts(machine) > 0);
    writeFileSync(path.join(machine.docker, 'containers', JOB, 'go'), '');
    const { end, steps } = await following;
    assert.equal(end.kind, 'finished');
    assert.ok(steps.length >= 2, steps.join());
    assert.ok(steps.indexOf('pull') < steps.indexOf('run') || !steps.includes('run'), steps.join());
  });

  it('sends TAO’s status.json beside the log', async (t) => {
    const machine = new DockerMachine(t);
    machine.program(`mkdir -p ${JSON.stringify('$HOME')}/.brev-jobs/${JOB}/results/train
      echo '{"status":"STARTED"}' >"$HOME/.brev-jobs/${JOB}/results/train/status.json"; echo log`);
    const { status } = await run(machine);
    assert.equal(status.toString(), '{"status":"STARTED"}\n');
  });
});

describe('a job that does not get that far', { concurrency: 2 }, () => {
  it('has no docker: the machine is not in VM mode', async (t) => {
    const machine = new DockerMachine(t);
    machine.removeDocker();
    const followed = await run(machine);
    const end = endOf(followed);
    assert.equal(end.step, 'docker');
    assert.match(followed.log.toString(), /docker is not installed/);
  });

  it('has a docker daemon that does not answer', async (t) => {
    const machine = new DockerMachine(t);
    machine.fault(
      'fail.version',
      '1\nCannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n',
    );
    const end = endOf(await run(machine));
    assert.equal(end.step, 'docker');
    assert.match(end.error, /Cannot connect to the Docker daemon/);
  });

  it('gets by with sudo where docker needs it', async (t) => {
    const machine = new DockerMachine(t);
    machine.installSudo();
    machine.fault('only-without-sudo');
    machine.fault(
      'fail.version',
      '1\npermission denied while trying to connect to the Docker daemon socket\n',
    );
    machine.fault('fail.create', '1\npermission denied\n');
    assert.equal(endOf(await run(machine)).exitCode, 0);
  });

  it('cannot pull its image, in docker’s own words', async (t) => {
    const machine = new DockerMachine(t);
    machine.fault(
      'fail.pull',
      '1\nError response from daemon: Head "https://nvcr.io/v2/x/manifests/7": unauthorized\n',
    );
    const followed = await run(machine);
    const end = endOf(followed);
    assert.equal(end.step, 'pull');
    assert.match(end.error, /unauthorized/);
    assert.match(followed.log.toString(), /unauthorized/);
    assert.equal(starts(machine), 0);
  });

  it('tries again where the registry failed to sign nobody in', async (t) => {
    const machine = new DockerMachine(t);
    machine.fault(
      'fail-once.pull',
      '1\nfailed to fetch anonymous token: unexpected status: 401 Unauthorized\n',
    );
    assert.equal(endOf(await run(machine)).exitCode, 0);
  });

  it('has a container that cannot be made', async (t) => {
    const machine = new DockerMachine(t);
    machine.fault('fail.create', '125\ninvalid reference format\n');
    const followed = await run(machine);
    const end = endOf(followed);
    assert.equal(end.step, 'create');
    assert.match(end.error, /invalid reference format/);
  });

  it('has a docker without GPUs', async (t) => {
    const machine = new DockerMachine(t);
    machine.fault('no-gpu');
    const end = endOf(await run(machine));
    assert.equal(end.step, 'create');
    assert.match(end.error, /could not select device driver/);
  });

  it('has a folder that vanished', async (t) => {
    const machine = new DockerMachine(t);
    await run(machine);
    rmSync(machine.folder, { recursive: true });
    const end = endOf(await machine.follow());
    assert.equal(end.step, 'lost');
    assert.notEqual(end.error, '');
  });
});

describe('secrets of a job', { concurrency: 2 }, () => {
  const SECRETS = { environment: new Map([['HF_TOKEN', "hf_it's $ecret\nnext"]]), ngcKey: 'nvapi-the-key' };

  it('are gone when the launch fails half way, as on a full disk', async (t) => {
    const machine = new DockerMachine(t);
    // stands where the launch writes a file, after the secrets
    mkdirSync(path.join(machine.folder, 'boot'), { recursive: true });
    assert.equal((await machine.submit(SPEC, SECRETS)).kind, 'failed');
    assert.equal(machine.file('secrets/env'), undefined);
    assert.equal(machine.file('registry.password'), undefined);
  });

  it('reach the program and the registry, and nothing else, and leave no file', async (t) => {
    const machine = new DockerMachine(t);
    machine.program('ls "$1" >/dev/null; echo started');
    const followed = await run(machine, SPEC, SECRETS);
    assert.equal(endOf(followed).exitCode, 0);
    assert.equal(readFileSync(path.join(machine.docker, 'password'), 'utf8'), 'nvapi-the-key');
    for (const text of [
      readFileSync(path.join(machine.docker, 'calls'), 'utf8'),
      machine.container('args') ?? '',
      followed.log.toString(),
    ]) {
      assert.doesNotMatch(text, /\$ecret|nvapi-the/);
    }
    await machine.until(() => machine.processes(/supervisor/).length === 0);
    assert.deepEqual(filesWith(machine.home, /\$ecret|nvapi-the/), []);
  });

  it('are gone after a pull that failed, too', async (t) => {
    const machine = new DockerMachine(t);
    machine.fault('fail.pull', '1\nunauthorized\n');
    assert.equal(endOf(await run(machine, SPEC, SECRETS)).step, 'pull');
    await machine.until(() => machine.processes(/supervisor/).length === 0);
    assert.deepEqual(filesWith(machine.home, /\$ecret|nvapi-the/), []);
  });
});

function filesWith(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return entry.isFile() && pattern.test(readFileSync(file, 'utf8')) ? [file] : [];
  });
}

describe('following a job', { concurrency: 2 }, () => {
  it('begins at any byte', async (t) => {
    const machine = new DockerMachine(t);
    machine.program('seq 1 500');
    const all = (await run(machine)).log;
    for (const log of [1, 17, all.length - 1, all.length]) {
      const followed = await machine.follow({ log, status: 0 });
      assert.ok(followed.log.equals(all.subarray(log)), String(log));
      assert.equal(endOf(followed).exitCode, 0);
    }
  });

  it('says that the log is shorter than what is known of it', async (t) => {
    const machine = new DockerMachine(t);
    const { log } = await run(machine);
    const followed = await machine.follow({ log: log.length + 10, status: 0 });
    assert.deepEqual(followed.truncated, ['log']);
    assert.equal(followed.log.length, 0);
    assert.equal(endOf(followed).exitCode, 0);
  });

  it('tells no step of a job that has ended: it would look as if it went on', async (t) => {
    const machine = new DockerMachine(t);
    await run(machine);
    assert.deepEqual((await machine.follow()).steps, []);
  });

  it('sees a line that has no end yet', async (t) => {
    const machine = new DockerMachine(t);
    machine.program('printf "Epoch 1/10"; while [ ! -e "$1/go" ]; do sleep 0.02; done');
    await machine.submit();
    let seen = '';
    const abort = new AbortController();
    const following = machine.platform.follow(
      TARGET,
      { log: 0, status: 0 },
      {
        onBytes: (_, __, bytes) => {
          seen += Buffer.from(bytes).toString();
          if (seen.endsWith('Epoch 1/10')) {
            abort.abort();
          }
        },
        onTruncated: () => undefined,
        onStep: () => undefined,
      },
      abort.signal,
    );
    assert.equal((await following).kind, 'cancelled');
    assert.match(seen, /Epoch 1\/10$/);
  });

  it('goes on over a supervisor that was killed, without loss, and starts nothing twice', async (t) => {
    const machine = new DockerMachine(t);
    machine.program(
      'for i in $(seq 1 40); do echo "line $i"; sleep 0.02; done; while [ ! -e "$1/go" ]; do sleep 0.02; done; echo last',
    );
    await machine.submit();
    await machine.until(
      () => existsSync(path.join(machine.folder, 'log')) && machine.log.includes('line 5\n'),
    );
    for (const pid of machine.processes(/supervisor\.sh/)) {
      kill(pid);
    }
    const following = machine.follow();
    await machine.until(() => machine.log.includes('line 40\n'));
    writeFileSync(path.join(machine.docker, 'containers', JOB, 'go'), '');
    const followed = await following;
    assert.deepEqual(endOf(followed), { exitCode: 0, step: 'run', outOfMemory: false, error: '' });
    const lines = followed.log
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('line') || line === 'last');
    assert.deepEqual(lines, [...Array.from({ length: 40 }, (_, index) => `line ${index + 1}`), 'last']);
    assert.equal(starts(machine), 1);
    assert.ok(followed.log.equals(machine.log));
  });
});

describe('cancelling a job', { concurrency: 2 }, () => {
  it('stops its container, and that is its end', async (t) => {
    const machine = new DockerMachine(t);
    machine.program('echo begun; sleep 1000');
    await machine.submit();
    const following = machine.follow();
    await machine.until(() => starts(machine) > 0);
    assert.equal((await machine.cancel()).kind, 'ok');
    assert.equal(endOf(await following).step, 'cancel');
    assert.deepEqual(machine.processes(/sleep 1000/), []);
  });

  it('stops one that ignores the first request', async (t) => {
    const machine = new DockerMachine(t);
    machine.program('trap "" TERM; echo begun; touch "$1/deaf"; while :; do sleep 0.05; done');
    await machine.submit();
    await machine.until(() => machine.container('deaf') !== undefined);
    assert.equal((await machine.cancel()).kind, 'ok');
    assert.equal(endOf(await machine.follow()).step, 'cancel');
  });

  it('while the image is being pulled runs no container', async (t) => {
    const machine = new DockerMachine(t);
    machine.fault('slow-pull');
    await machine.submit();
    await machine.until(() => existsSync(path.join(machine.docker, 'pulling')));
    const cancelling = machine.cancel();
    machine.mend('slow-pull');
    assert.equal((await cancelling).kind, 'ok');
    assert.equal(endOf(await machine.follow()).step, 'cancel');
    assert.equal(starts(machine), 0);
  });

  it('of one that was never launched keeps it from ever running', async (t) => {
    const machine = new DockerMachine(t);
    assert.equal((await machine.cancel()).kind, 'ok');
    await machine.shell.upload([{ path: `.brev-jobs/${JOB}/spec.yaml`, content: Buffer.from('x') }], {
      timeoutMs: 1,
      signal: new AbortController().signal,
    });
    assert.equal((await machine.cancel()).kind, 'ok');
    assert.equal(starts(machine), 0);
  });

  it('twice is as good as once, also after the end', async (t) => {
    const machine = new DockerMachine(t);
    await run(machine);
    assert.equal((await machine.cancel()).kind, 'ok');
    assert.equal((await machine.cancel()).kind, 'ok');
    assert.equal(endOf(await machine.follow()).exitCode, 0);
  });
});
