import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { exec } from '../../../src/brev/exec.ts';
import { InstanceStore } from '../../../src/instances/store.ts';
import { isTerminal, type JobEnded } from '../../../src/jobs/job.ts';
import { JobFolders } from '../../../src/jobs/jobFolder.ts';
import { Jobs } from '../../../src/jobs/jobs.ts';
import { RecordStore } from '../../../src/jobs/recordStore.ts';
import type { Submission } from '../../../src/jobs/submitting.ts';
import { BrevPlatform } from '../../../src/platforms/brev/brevPlatform.ts';
import { systemClock } from '../../../src/process/clock.ts';
import { Redactor } from '../../../src/process/redact.ts';
import { Shells } from '../../../src/remote/shells.ts';
import { inEnglish } from '../../../src/values/message.ts';
import type { SimInstance } from '../../brev-sim/sim.ts';
import { simulatedCli } from '../preflight/support/cli.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';

const IMAGE = 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt';

/** A simulated cloud with one machine whose registry wants no login, and windows of this extension on it. */
async function cloud(t: TestContext) {
  const { brev, sim, calls } = await simulatedCli(t, { speed: 500, machineSpeed: 20 });
  const gpu: SimInstance = await sim.addInstance({ name: 'gpu1' });
  writeFileSync(
    path.join(gpu.machine, 'registry.json'),
    JSON.stringify({ public: ['nvcr.io/nvidia/tao'], pullSeconds: 1 }),
  );
  const root = temporaryFolder(t);
  const openWindow = () => {
    const store = new InstanceStore({
      brev,
      clock: systemClock,
      intervals: () => ({ steadyMs: 1e8, transitionMs: 1e8 }),
    });
    const shells = new Shells({ brev, store, ssh: undefined, clock: systemClock, log: () => undefined });
    const jobs = new Jobs({
      platforms: new Map([
        ['brev', new BrevPlatform({ clock: systemClock, shell: (target) => shells.shell(target) })],
      ]),
      records: new RecordStore(path.join(root, 'state'), systemClock, new Redactor()),
      folders: new JobFolders(path.join(root, 'jobs')),
      clock: systemClock,
      random: () => 0,
      log: () => undefined,
    });
    t.after(() => {
      jobs.dispose();
      void shells.dispose();
      store.dispose();
    });
    const ended = new Promise<JobEnded>((resolve) => {
      jobs.onEnd(resolve);
    });
    return { ended, jobs, store };
  };
  const submission = (spec: string): Submission => ({
    platform: 'brev',
    work: {
      kind: 'spec',
      spec: {
        network: 'segformer',
        action: 'train',
        image: IMAGE,
        gpus: 'all',
        specFile: { name: 'spec.yaml', content: Buffer.from(spec) },
      },
    },
    instance: gpu,
    specUri: 'file:///spec.yaml',
    secrets: { environment: new Map(), ngcKey: undefined },
    onStep: () => undefined,
    signal: new AbortController().signal,
  });
  const remoteLog = (id: string) => readFileSync(path.join(gpu.home, '.brev-jobs', id, 'log'));
  return { brev, calls, gpu, openWindow, remoteLog, root, sim, submission };
}

const spec = (epochs: number) => `results_dir: /results\ntrain:\n  num_epochs: ${epochs}\n`;

/** Resolves when the job's program runs; it must not end before. */
function untilItRuns(jobs: Jobs, id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const job = jobs.find(id);
      if (job?.state === 'RUNNING') {
        stop();
        resolve();
      } else if (job !== undefined && isTerminal(job.state)) {
        stop();
        reject(new Error(`${job.state}: ${job.note}`));
      }
    };
    const stop = jobs.onChange(look);
    look();
  });
}

describe('jobs with the simulated CLI', { concurrency: 2 }, () => {
  it('a training run is followed to its end, over a window that was closed and a connection that broke, byte by byte', async (t) => {
    const { openWindow, remoteLog, sim, submission } = await cloud(t);
    const first = openWindow();
    const submitted = await first.jobs.submit(submission(spec(4)));
    assert.ok(submitted.kind === 'ok', JSON.stringify(submitted));
    const { id } = submitted.value.details;
    await untilItRuns(first.jobs, id);
    first.jobs.dispose();
    // the next connection breaks, and the CLI runs its command again
    await sim.scenario([{ kind: 'drop', command: 'exec', afterBytes: 900 }]);
    const second = openWindow();
    await second.jobs.resume();
    const { job } = await second.ended;
    assert.equal(job.state, 'COMPLETE', job.note);
    const local = readFileSync(second.jobs.logFile(id));
    assert.ok(local.equals(remoteLog(id)));
    assert.match(local.toString(), /Execution status: PASS/);
  });

  it('a job that an agent submitted is followed from its first output on, and cancelled by its container’s own name', async (t) => {
    const { brev, gpu, openWindow, root } = await cloud(t);
    mkdirSync(path.join(gpu.home, 'specs'));
    writeFileSync(path.join(gpu.home, 'specs/agent.yaml'), spec(4));
    const launch = (name: string, action: string) => {
      const line = `docker run -d --name ${name} --gpus all -v $HOME/specs:/specs -v $HOME/out:/results ${IMAGE} segformer ${action} -e /specs/agent.yaml`;
      return exec('gpu1', line, 60_000);
    };
    const record = async (id: string, container: string) => {
      const records = new RecordStore(path.join(root, 'state'), systemClock, new Redactor());
      await records.open({
        id,
        platform: 'brev',
        image: IMAGE,
        network: 'segformer',
        action: 'train',
        resultsDir: '/results',
      });
      await records.mark(id, { state: 'RUNNING', message: 'by an agent', backendRef: `gpu1/${container}` });
    };
    const run = launch('agents-own', 'train');
    assert.ok(run.kind === 'ok');
    assert.equal((await brev.execute(run.value)).kind, 'ok');
    await record('segformer-train-0a0b0c', 'agents-own');
    await record('segformer-train-0d0e0f', 'no-such-container');
    const { ended, jobs } = openWindow();
    await jobs.readForeign();
    assert.equal(jobs.find('segformer-train-0a0b0c')?.foreign, true);
    const { signal } = new AbortController();
    const nowhere = await jobs.adopt('segformer-train-0d0e0f', gpu, signal);
    assert.ok(nowhere.kind === 'failed');
    assert.match(inEnglish(nowhere.failure.message), /no container no-such-container on gpu1/);
    assert.equal(jobs.find('segformer-train-0d0e0f')?.foreign, true);
    const adopted = await jobs.adopt('segformer-train-0a0b0c', gpu, signal);
    assert.ok(adopted.kind === 'ok', JSON.stringify(adopted));
    const { job } = await ended;
    assert.equal(job.state, 'COMPLETE', job.note);
    assert.match(readFileSync(jobs.logFile(job.details.id), 'utf8'), /Execution status: PASS/);

    writeFileSync(path.join(gpu.home, 'specs/agent.yaml'), spec(500));
    const long = launch('another', 'train');
    assert.ok(long.kind === 'ok');
    assert.equal((await brev.execute(long.value)).kind, 'ok');
    await record('segformer-train-aabbcc', 'another');
    await jobs.readForeign();
    assert.equal((await jobs.adopt('segformer-train-aabbcc', gpu, signal)).kind, 'ok');
    assert.equal((await jobs.cancel('segformer-train-aabbcc', signal)).kind, 'ok');
    const state = exec('gpu1', "docker inspect --format '{{.State.Running}}' another", 60_000);
    assert.ok(state.kind === 'ok');
    const running = await brev.execute(state.value);
    assert.ok(running.kind === 'ok');
    assert.match(running.value, /^false$/m);
  });

  it('a job that is cancelled is stopped on the machine', async (t) => {
    const { gpu, openWindow, sim, submission } = await cloud(t);
    const { ended, jobs } = openWindow();
    const submitted = await jobs.submit(submission(spec(500)));
    assert.ok(submitted.kind === 'ok', JSON.stringify(submitted));
    const { id } = submitted.value.details;
    await untilItRuns(jobs, id);
    const outcome = await jobs.cancel(id, new AbortController().signal);
    assert.equal(outcome.kind, 'ok', JSON.stringify(outcome));
    assert.equal((await ended).job.state, 'CANCELED');
    assert.equal((await sim.instance(gpu.id)).status, 'RUNNING');
  });

  it('nothing starts a stopped machine: neither a submit, nor a job that is resumed, nor a cancel', async (t) => {
    const { calls, gpu, openWindow, sim, submission } = await cloud(t);
    const { jobs } = openWindow();
    const submitted = await jobs.submit(submission(spec(500)));
    assert.ok(submitted.kind === 'ok');
    const { id } = submitted.value.details;
    await untilItRuns(jobs, id);
    jobs.dispose();
    await sim.update(gpu.id, { status: 'STOPPED' });
    const execs = async () => (await calls()).filter((line) => line.startsWith('exec')).length;
    const before = await execs();
    const later = openWindow();
    const troubled = new Promise<void>((resolve) => {
      later.jobs.onChange((job) => {
        if (job.trouble !== undefined) {
          resolve();
        }
      });
    });
    await later.jobs.resume();
    await troubled;
    assert.equal((await later.jobs.cancel(id, new AbortController().signal)).kind, 'failed');
    assert.equal((await later.jobs.submit(submission(spec(1)))).kind, 'failed');
    assert.equal(await execs(), before);
    assert.equal((await sim.instance(gpu.id)).status, 'STOPPED');
    assert.notEqual(later.jobs.find(id)?.state, 'ERROR');
  });
});
