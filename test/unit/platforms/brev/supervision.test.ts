import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import cancelScript from '../../../../src/platforms/brev/cancel.sh';
import followScript from '../../../../src/platforms/brev/follow.sh';
import framesScript from '../../../../src/platforms/brev/frames.sh';
import launchScript from '../../../../src/platforms/brev/launch.sh';
import type { JobEnd } from '../../../../src/platforms/platform.ts';
import type { JobWork } from '../../../../src/tao/runSpec.ts';
import { DockerMachine, type Followed, JOB, kill, NO_SECRETS, SPEC } from './dockerMachine.ts';

const NEVER = new AbortController().signal;
/** What is no text, bars that come back, and a last line without an end. */
const PROGRAM = String.raw`
for i in $(seq 1 30); do printf '\rEpoch %s: \xff\xc3(' "$i"; echo "warning $i" >&2; sleep 0.01; done
touch "$1/half"
while [ ! -e "$1/go" ]; do sleep 0.02; done
printf 'line\n50%%|#####'`;

function endOf({ end }: Followed): JobEnd {
  assert.ok(end.kind === 'finished', JSON.stringify(end));
  return end.end;
}

const starts = (machine: DockerMachine): number => (machine.container('starts') ?? '').split('\n').length - 1;
const go = (machine: DockerMachine): void =>
  writeFileSync(path.join(machine.docker, 'containers', JOB, 'go'), '');

/** All that the container printed is in the log, once and in its order. */
function assertWhole(machine: DockerMachine, followed: Followed): void {
  const output = readFileSync(path.join(machine.docker, 'containers', JOB, 'output'));
  const begins = Number(machine.file('run.offset'));
  assert.ok(machine.log.subarray(begins).equals(output), machine.log.subarray(begins).toString());
  assert.ok(followed.log.equals(machine.log));
  assert.equal(starts(machine), 1);
}

async function submitted(machine: DockerMachine, work: JobWork = SPEC): Promise<void> {
  assert.equal((await machine.submit(work)).kind, 'ok');
}

/** As follow.sh, without its patience for a launch that may still come. */
async function followImpatiently(machine: DockerMachine, before = ''): Promise<string> {
  const chunks: Uint8Array[] = [];
  const impatient = followScript.replace('-ge 10000000', '-ge 1');
  assert.notEqual(impatient, followScript);
  const text = before + framesScript + impatient;
  await machine.shell.stream({ text, args: [JOB, '0', '0'] }, (chunk) => chunks.push(chunk), NEVER);
  return Buffer.concat(chunks).toString();
}

describe('a job whose processes are killed', { concurrency: 2 }, () => {
  for (const [what, pattern] of [
    ['docker client', /docker start/],
    ['supervisor', /supervisor\.sh/],
    ['docker client and its supervisor', /docker start|supervisor\.sh/],
  ] as const) {
    it(`has lost nothing when the ${what} was`, async (t) => {
      const machine = new DockerMachine(t);
      machine.program(PROGRAM);
      await submitted(machine);
      await machine.until(() => machine.container('half') !== undefined);
      for (const pid of machine.processes(pattern)) {
        kill(pid);
      }
      const following = machine.follow();
      go(machine);
      const followed = await following;
      assert.deepEqual(endOf(followed), { exitCode: 0, step: 'run', outOfMemory: false, error: '' });
      assertWhole(machine, followed);
    });
  }

  it('is started when the client was killed before it could', async (t) => {
    const machine = new DockerMachine(t);
    machine.program('echo output');
    // as if the client had been killed on its way to the daemon
    machine.fault('fail-once.start', '137\n');
    await submitted(machine);
    const followed = await machine.follow();
    assert.equal(endOf(followed).exitCode, 0);
    assertWhole(machine, followed);
  });

  it('pulls again when the pull was', async (t) => {
    const machine = new DockerMachine(t);
    machine.fault('fail-once.pull', '137\n');
    await submitted(machine);
    assert.equal(endOf(await machine.follow()).exitCode, 0);
  });

  it('keeps its secrets until they are used', async (t) => {
    const machine = new DockerMachine(t);
    machine.fault('slow-pull');
    await machine.submit(SPEC, { environment: new Map([['HF_TOKEN', 'hf_x']]), ngcKey: 'nvapi-x' });
    await machine.until(() => existsSync(path.join(machine.docker, 'pulling')));
    for (const pid of machine.processes(/docker pull|supervisor\.sh/)) {
      kill(pid);
    }
    machine.mend('slow-pull');
    assert.match(machine.file('secrets/env') ?? '', /HF_TOKEN/);
    const followed = await machine.follow();
    assert.equal(endOf(followed).exitCode, 0);
    assert.equal(machine.file('secrets/env'), undefined);
    assert.equal(machine.file('registry.password'), undefined);
  });
});

describe('a launch', { concurrency: 2 }, () => {
  it('needs all of its secrets', async (t) => {
    const machine = new DockerMachine(t);
    await submitted(machine);
    await machine.follow();
    const id = 'segformer-train-ffffff';
    await machine.shell.upload([{ path: `.brev-jobs/${id}/image`, content: Buffer.from('x') }], {
      timeoutMs: 1,
      signal: NEVER,
    });
    for (const input of ['registry=nvapi-x\0', 'registry=nvapi-x\0HF_TOKEN=hf_cu', '']) {
      const launched = await machine.shell.run(
        { text: launchScript, args: [id, '2'] },
        { timeoutMs: 10_000, signal: NEVER, input: Buffer.from(input) },
      );
      assert.ok(launched.kind === 'ok');
      assert.equal(launched.value.exitCode, 1, launched.value.stdout);
      assert.deepEqual(readdirSync(path.join(machine.home, '.brev-jobs', id)), ['image']);
    }
  });

  it('that cannot be given up while nothing can be written is given up later', async (t) => {
    const machine = new DockerMachine(t);
    const image = [{ path: `.brev-jobs/${JOB}/image`, content: Buffer.from('x') }];
    await machine.shell.upload(image, { timeoutMs: 1, signal: NEVER });
    // as on a full disk, until the first try is taken back
    const full = `trap '' XFSZ; ulimit -S -f 0; rmdir() { command rmdir "$@"; ulimit -S -f unlimited; touch "$HOME/taken-back"; }\n`;
    assert.match(await followImpatiently(machine, full), /step=launch\n.*error=it was never launched/s);
    assert.ok(existsSync(path.join(machine.home, 'taken-back')));
  });

  it('that does not come is given up, and then comes too late', async (t) => {
    const machine = new DockerMachine(t);
    const image = [{ path: `.brev-jobs/${JOB}/image`, content: Buffer.from('x') }];
    await machine.shell.upload(image, { timeoutMs: 1, signal: NEVER });
    writeFileSync(path.join(machine.folder, '.brev-input-1'), 'a secret');
    assert.match(await followImpatiently(machine), /step=launch\n.*error=it was never launched/s);
    assert.ok(!existsSync(machine.folder));
    assert.deepEqual(
      readdirSync(`${machine.folder}.never`).filter((name) => name.startsWith('.')),
      [],
    );
    // even with a second upload: the first one may have been repeated by the CLI
    assert.equal((await machine.submit(SPEC, NO_SECRETS)).kind, 'ok');
    assert.equal(starts(machine), 0);
    assert.equal(endOf(await machine.follow()).step, 'launch');
  });
});

describe('a follower', { concurrency: 2 }, () => {
  const uploaded = async (machine: DockerMachine): Promise<void> => {
    const image = [{ path: `.brev-jobs/${JOB}/image`, content: Buffer.from('x') }];
    await machine.shell.upload(image, { timeoutMs: 1, signal: NEVER });
  };

  it('sees that the job was cancelled before its launch', async (t) => {
    const machine = new DockerMachine(t);
    await uploaded(machine);
    const following = machine.follow();
    assert.equal((await machine.cancel()).kind, 'ok');
    assert.equal(endOf(await following).step, 'cancel');
  });

  it('goes on where a cancel before the launch could not be written, and sees the next one', async (t) => {
    const machine = new DockerMachine(t);
    await uploaded(machine);
    const full = `trap '' XFSZ; ulimit -S -f 0\n`;
    const options = { timeoutMs: 10_000, signal: NEVER };
    const answer = await machine.shell.run({ text: full + cancelScript, args: [JOB] }, options);
    assert.ok(answer.kind === 'ok');
    assert.deepEqual([answer.value.exitCode, answer.value.stdout.split('\n').at(-2)], [1, 'running']);
    assert.equal(machine.file('result'), undefined);
    const following = machine.follow();
    assert.equal((await machine.cancel()).kind, 'ok');
    assert.equal(endOf(await following).step, 'cancel');
  });

  it('sees it also when the folder is put aside between a look and the next line', async (t) => {
    const machine = new DockerMachine(t);
    await uploaded(machine);
    const own = `"$HOME/.brev-jobs/${JOB}"`;
    machine.install('stat', `/usr/bin/stat "$@"; [ ! -e ${own}/result ] || mv -T ${own} ${own}.never`);
    const following = machine.follow();
    // as cancel.sh does it
    mkdirSync(path.join(machine.folder, 'launched'));
    writeFileSync(path.join(machine.folder, 'result.new'), 'step=cancel\nexit=\noom=false\nerror=\n');
    renameSync(path.join(machine.folder, 'result.new'), path.join(machine.folder, 'result'));
    assert.equal(endOf(await following).step, 'cancel');
  });

  it('sees that the folder of the job was removed', async (t) => {
    const machine = new DockerMachine(t);
    await uploaded(machine);
    const following = machine.follow();
    rmSync(machine.folder, { recursive: true });
    const end = endOf(await following);
    assert.equal(end.step, 'lost');
    assert.match(end.error, /folder of the job is gone/);
  });
});

describe('what became of a job', { concurrency: 2 }, () => {
  it('is not known while docker does not answer, and known again when it does', async (t) => {
    const machine = new DockerMachine(t);
    machine.program(PROGRAM);
    await submitted(machine);
    await machine.until(() => machine.container('half') !== undefined);
    for (const fault of ['fail.version', 'fail.inspect', 'fail.logs']) {
      machine.fault(fault, '1\nCannot connect to the Docker daemon at unix:///var/run/docker.sock.\n');
    }
    for (const pid of machine.processes(/docker start/)) {
      kill(pid);
    }
    await machine.until(() => machine.file('step')?.startsWith('unknown: docker does not answer') === true);
    go(machine);
    for (const fault of ['fail.version', 'fail.inspect', 'fail.logs']) {
      machine.mend(fault);
    }
    const followed = await machine.follow();
    assert.equal(endOf(followed).exitCode, 0);
    assertWhole(machine, followed);
  });

  it('is an interruption when the instance was rebooted meanwhile', async (t) => {
    const machine = new DockerMachine(t);
    machine.program('sleep 1000');
    await submitted(machine);
    await machine.until(() => machine.processes(/^sleep 1000/).length > 0);
    for (const pid of machine.processes(/supervisor\.sh|docker start/)) {
      kill(pid);
    }
    writeFileSync(path.join(machine.folder, 'boot'), 'the boot before\n');
    for (const pid of machine.processes(/^sleep 1000/)) {
      kill(pid);
    }
    const end = endOf(await machine.follow());
    assert.equal(end.step, 'interrupted');
    assert.match(end.error, /stopped or rebooted/);
  });

  it('is its own end when it came before the reboot', async (t) => {
    const machine = new DockerMachine(t);
    machine.program(PROGRAM);
    await submitted(machine);
    await machine.until(() => machine.container('half') !== undefined);
    for (const pid of machine.processes(/supervisor\.sh|docker start/)) {
      kill(pid);
    }
    go(machine);
    await machine.until(() => machine.container('status')?.trim() === 'exited');
    writeFileSync(path.join(machine.folder, 'boot'), 'the boot before\n');
    const followed = await machine.follow();
    assert.deepEqual(endOf(followed), { exitCode: 0, step: 'run', outOfMemory: false, error: '' });
    assertWhole(machine, followed);
  });

  it('is lost when somebody deleted its container, and that is said', async (t) => {
    const machine = new DockerMachine(t);
    machine.program('sleep 1000');
    await submitted(machine);
    await machine.until(() => machine.processes(/^sleep 1000/).length > 0);
    await machine.shell.run({ text: `docker rm ${JOB}`, args: [] }, { timeoutMs: 1, signal: NEVER });
    for (const pid of machine.processes(/docker start|^sleep 1000/)) {
      kill(pid);
    }
    const end = endOf(await machine.follow());
    assert.equal(end.step, 'lost');
    assert.match(end.error, /deleted/);
  });
});

describe('a plain command', { concurrency: 2 }, () => {
  const command = (text: string): JobWork => ({ kind: 'command', command: text });

  it('runs in the home directory, and tells its exit code', async (t) => {
    const machine = new DockerMachine(t);
    await submitted(machine, command('pwd; echo oops >&2; exit 3'));
    const followed = await machine.follow();
    assert.deepEqual(endOf(followed), { exitCode: 3, step: 'run', outOfMemory: false, error: '' });
    assert.equal(followed.log.toString(), `${machine.home}\noops\n`);
  });

  it('gets its secrets, and no file keeps them', async (t) => {
    const machine = new DockerMachine(t);
    const value = 'it\'s $a\n"b"';
    assert.equal(
      (
        await machine.submit(command('printf %s "$SECRET" | md5sum; ls -A ~/.brev-jobs/*/secrets'), {
          environment: new Map([['SECRET', value]]),
          ngcKey: undefined,
        })
      ).kind,
      'ok',
    );
    const { createHash } = await import('node:crypto');
    const sum = createHash('md5').update(value).digest('hex');
    assert.equal((await machine.follow()).log.toString(), `${sum}  -\n`);
  });

  it('runs on when its supervisor is killed, and runs once', async (t) => {
    const machine = new DockerMachine(t);
    await submitted(machine, command('echo begun; until [ -e go ]; do sleep 0.02; done; echo done'));
    await machine.until(() => machine.file('log') === 'begun\n');
    for (const pid of machine.processes(/supervisor\.sh/)) {
      kill(pid);
    }
    const following = machine.follow();
    writeFileSync(path.join(machine.home, 'go'), '');
    const followed = await following;
    assert.equal(endOf(followed).exitCode, 0);
    assert.equal(followed.log.toString(), 'begun\ndone\n');
  });

  it('is cancelled with all that it started', async (t) => {
    const machine = new DockerMachine(t);
    await submitted(machine, command('(while :; do sleep 0.05; done) & echo begun; sleep 1000'));
    await machine.until(() => machine.file('log') === 'begun\n');
    assert.equal((await machine.cancel()).kind, 'ok');
    assert.deepEqual(machine.processes(/sleep/), []);
    assert.equal(endOf(await machine.follow()).step, 'cancel');
  });
});
