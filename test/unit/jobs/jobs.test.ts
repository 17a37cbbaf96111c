import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Job, JobEnded } from '../../../src/jobs/job.ts';
import { JobFolders } from '../../../src/jobs/jobFolder.ts';
import { Jobs } from '../../../src/jobs/jobs.ts';
import { currentMessage, currentState } from '../../../src/jobs/record.ts';
import { RecordStore } from '../../../src/jobs/recordStore.ts';
import type { Submission } from '../../../src/jobs/submitting.ts';
import type { Platform, PlatformId } from '../../../src/platforms/platform.ts';
import { type Clock, systemClock } from '../../../src/process/clock.ts';
import { Redactor } from '../../../src/process/redact.ts';
import { inEnglish, message } from '../../../src/values/message.ts';
import { cancelled, failed, ok } from '../../../src/values/outcome.ts';
import { deferred } from '../../support/deferred.ts';
import { settled } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';
import {
  COMPLETE,
  type Connection,
  disconnected,
  FINISHED,
  PlayedPlatform,
  untilAborted,
} from './playedPlatform.ts';

/** Pauses are a hundredth as long. */
const quickClock: Clock = {
  now: () => systemClock.now(),
  after: (ms, callback) => systemClock.after(ms / 100, callback),
};
const OFFLINE = { kind: 'offline', message: message('offline'), retrySafe: true } as const;
const INSTANCE = { id: 'k3x9', name: 'gpu1' };

const submission = (fields: Partial<Submission> = {}): Submission => ({
  platform: 'brev',
  work: {
    kind: 'spec',
    spec: {
      network: 'segformer',
      action: 'train',
      image: 'nvcr.io/x:1',
      gpus: 'all',
      specFile: { name: 'spec.yaml', content: Buffer.from('train: {}\n') },
    },
  },
  instance: INSTANCE,
  specUri: 'file:///spec.yaml',
  secrets: { environment: new Map([['HF_TOKEN', 'hf_secretsecret']]), ngcKey: 'nvapi-secretsecret' },
  onStep: () => undefined,
  signal: new AbortController().signal,
  ...fields,
});

/** One window's jobs; several windows share the folder. */
function openWindow(
  t: TestContext,
  connections: readonly Connection[],
  root = temporaryFolder(t),
  more: readonly (readonly [PlatformId, Platform])[] = [],
) {
  const platform = new PlayedPlatform(...connections);
  const records = new RecordStore(path.join(root, 'state'), systemClock, new Redactor());
  const folders = new JobFolders(path.join(root, 'jobs'));
  const log: string[] = [];
  const jobs = new Jobs({
    platforms: new Map<PlatformId, Platform>([['brev', platform], ...more]),
    records,
    folders,
    clock: quickClock,
    random: () => 0,
    log: (line) => log.push(line),
  });
  t.after(() => jobs.dispose());
  const ends: JobEnded[] = [];
  jobs.onEnd((end) => ends.push(end));
  const changes: Job[] = [];
  jobs.onChange((job) => changes.push(job));
  /** Waits for files and promises to go on until it is so; the runner's time limit ends it where it never is. */
  const until = async (isIt: () => boolean): Promise<void> => {
    while (!isIt()) {
      await settled();
    }
  };
  return { changes, ends, folders, jobs, log, platform, records, root, until };
}

async function submitted(its: ReturnType<typeof openWindow>, fields: Partial<Submission> = {}): Promise<Job> {
  const outcome = await its.jobs.submit(submission(fields));
  assert.ok(outcome.kind === 'ok', JSON.stringify(outcome));
  return outcome.value;
}

const hang: Connection = (_sink, _offsets, signal) => untilAborted(signal);

describe('submitting', () => {
  it('writes the record before anything is launched', async (t) => {
    const its = openWindow(t, [hang]);
    let atLaunch: string | undefined;
    its.platform.onSubmit = async ({ target }) => {
      const record = await its.records.read(target.jobId);
      atLaunch = record === undefined ? 'no record' : currentMessage(record);
      return ok({ backendRef: `gpu1/${target.jobId}` });
    };
    const job = await submitted(its);
    assert.equal(atLaunch, 'record opened before launch');
    assert.match(job.details.id, /^segformer-train-[0-9a-f]{6}$/);
    const record = await its.records.read(job.details.id);
    assert.equal(record?.backend_ref, `gpu1/${job.details.id}`);
    assert.equal(its.platform.submitted[0]?.instanceId, 'k3x9');
    assert.deepEqual(its.jobs.all, [its.jobs.find(job.details.id)]);
  });

  it('launches nothing when the record cannot be written', async (t) => {
    const its = openWindow(t, [hang]);
    writeFileSync(path.join(its.root, 'state'), 'a file in the place of the folder');
    const outcome = await its.jobs.submit(submission());
    assert.ok(outcome.kind === 'failed');
    assert.equal(outcome.failure.kind, 'localFile');
    assert.equal(its.platform.submitted.length, 0);
  });

  it('leaves no pending record when the folder cannot be made', async (t) => {
    const its = openWindow(t, [hang]);
    writeFileSync(path.join(its.root, 'jobs'), 'a file in the place of the folder');
    assert.equal((await its.jobs.submit(submission())).kind, 'failed');
    assert.equal(its.platform.submitted.length, 0);
    assert.deepEqual(await its.records.list(), []);
  });

  it('writes no secret into record or folder', async (t) => {
    const its = openWindow(t, [hang]);
    const job = await submitted(its);
    const files = [
      path.join(its.root, 'state', `${job.details.id}.json`),
      path.join(its.folders.folder(job.details.id), 'job.json'),
    ];
    for (const file of files) {
      assert.doesNotMatch(readFileSync(file, 'utf8'), /secretsecret/);
    }
  });

  it('tells its steps', async (t) => {
    const its = openWindow(t, [hang]);
    const steps: string[] = [];
    await submitted(its, { onStep: (step) => steps.push(step) });
    assert.deepEqual(steps, ['checking', 'uploading', 'launching']);
  });

  it('that fails before the launch is an error, and nothing is followed', async (t) => {
    const its = openWindow(t, [hang]);
    its.platform.onSubmit = async ({ onStep }) => {
      onStep('uploading');
      return failed(OFFLINE);
    };
    assert.equal((await its.jobs.submit(submission())).kind, 'failed');
    const [job] = its.jobs.all;
    assert.equal(job?.state, 'ERROR');
    assert.equal(its.platform.asked.length, 0);
  });

  it('that breaks off during the launch is unknown, and is followed: it may have got through', async (t) => {
    const its = openWindow(t, [() => FINISHED]);
    its.platform.onSubmit = async ({ onStep }) => {
      onStep('launching');
      return failed(OFFLINE);
    };
    const outcome = await its.jobs.submit(submission());
    assert.equal(outcome.kind, 'failed');
    await its.until(() => its.ends.length > 0);
    assert.equal(its.jobs.all[0]?.state, 'COMPLETE');
  });

  it('that the instance refused is an error: nothing was started', async (t) => {
    for (const kind of ['remoteFailed', 'diskFull'] as const) {
      const its = openWindow(t, [hang]);
      its.platform.onSubmit = async ({ onStep }) => {
        onStep('launching');
        return failed({ kind, message: message('x'), retrySafe: true });
      };
      await its.jobs.submit(submission());
      assert.equal(its.jobs.all[0]?.state, 'ERROR', kind);
      assert.equal(its.platform.asked.length, 0);
    }
  });

  it('that is cancelled is cancelled on the instance too, if it may have got there', async (t) => {
    for (const [step, stops, state] of [
      ['uploading', true, 'CANCELED'],
      ['launching', true, 'CANCELED'],
      ['launching', false, 'UNKNOWN'],
    ] as const) {
      const its = openWindow(t, [hang]);
      its.platform.onSubmit = async ({ onStep }) => {
        onStep(step);
        return cancelled;
      };
      its.platform.onCancel = async () => (stops ? ok(undefined) : failed(OFFLINE));
      assert.equal((await its.jobs.submit(submission({ signal: AbortSignal.abort() }))).kind, 'cancelled');
      assert.equal(its.jobs.all[0]?.state, state, step);
      assert.equal(its.platform.cancelled.length, step === 'launching' ? 1 : 0);
    }
  });

  it('that breaks off because its window closes is not a cancelled one', async (t) => {
    for (const [step, state] of [
      ['uploading', 'ERROR'],
      ['launching', 'UNKNOWN'],
    ] as const) {
      const its = openWindow(t, [hang]);
      its.platform.onSubmit = async ({ onStep }) => {
        onStep(step);
        return cancelled;
      };
      await its.jobs.submit(submission());
      assert.equal(its.jobs.all[0]?.state, state, step);
      assert.equal(its.platform.cancelled.length, 0);
    }
  });

  it('goes on when its record can no longer be written: the job runs', async (t) => {
    const its = openWindow(t, [() => FINISHED]);
    its.platform.onSubmit = async () => {
      rmSync(path.join(its.root, 'state'), { recursive: true });
      return ok({ backendRef: 'x' });
    };
    const job = await submitted(its);
    assert.equal(job.details.instanceName, 'gpu1');
    await its.until(() => its.jobs.find(job.details.id)?.note.includes('missing') === true);
    assert.ok(its.log.length > 0);
  });
});

describe('following', () => {
  it('copies the log, tells the steps and ends once', async (t) => {
    const its = openWindow(t, [
      async (sink) => {
        for (const step of ['docker', 'pull', 'create', 'run']) {
          sink.onStep(step);
        }
        sink.onBytes('log', 0, Buffer.from('Epoch 1\n'));
        sink.onBytes('status', 0, Buffer.from('{"status":"RUNNING"}\n'));
        return FINISHED;
      },
    ]);
    const { details } = await submitted(its);
    await its.until(() => its.ends.length > 0);
    assert.equal(its.ends.length, 1);
    assert.equal(its.ends[0]?.job.state, 'COMPLETE');
    assert.match(inEnglish(its.ends[0]?.sentence ?? message('')), /exit code 0/);
    assert.equal(readFileSync(its.jobs.logFile(details.id), 'utf8'), 'Epoch 1\n');
    assert.equal(readFileSync(its.folders.statusFile(details.id), 'utf8'), '{"status":"RUNNING"}\n');
    const record = await its.records.read(details.id);
    assert.deepEqual(
      record?.transitions.map(({ state, message: words }) => [state, words]),
      [
        ['PENDING', 'record opened before launch'],
        ['PENDING', 'launched'],
        ['PENDING', 'docker'],
        ['PENDING', 'pull'],
        ['PENDING', 'create'],
        ['RUNNING', 'run'],
        ['COMPLETE', 'exit code 0'],
      ],
    );
  });

  it('writes steps that come close together in their order', async (t) => {
    const its = openWindow(t, [
      (sink, _, signal) => {
        for (let count = 0; count < 20; count++) {
          sink.onStep(count % 2 === 0 ? 'pull' : 'run');
        }
        return untilAborted(signal);
      },
    ]);
    const { details } = await submitted(its);
    await its.until(() => its.jobs.find(details.id)?.note === 'run');
    its.platform.connections = [() => FINISHED];
    its.jobs.dispose();
    const later = openWindow(t, [() => FINISHED], its.root);
    await later.jobs.resume();
    await later.until(() => later.ends.length > 0);
    const record = await later.records.read(details.id);
    assert.deepEqual(
      record?.transitions.slice(-2).map(({ state }) => state),
      ['RUNNING', 'COMPLETE'],
    );
    assert.equal(record?.transitions.length, 23);
  });

  it('shows the jobs of earlier sessions in one moment: none is told of before all are known', async (t) => {
    const its = openWindow(t, [hang, hang, hang]);
    const ids = [await submitted(its), await submitted(its), await submitted(its)].map(
      ({ details }) => details.id,
    );
    its.jobs.dispose();
    const later = openWindow(t, [() => FINISHED, () => FINISHED, () => FINISHED], its.root);
    const known: number[] = [];
    later.jobs.onChange(() => known.push(later.jobs.all.length));
    await later.jobs.resume();
    await later.until(() => later.ends.length === ids.length);
    assert.deepEqual([...new Set(known)], [ids.length]);
    assert.deepEqual(new Set(later.jobs.all.map(({ details }) => details.id)), new Set(ids));
  });

  it('shows trouble while the connection is broken, and none when it is back', async (t) => {
    let connections = 0;
    const its = openWindow(t, [
      (sink, _, signal) => {
        connections++;
        if (connections === 1) {
          return disconnected('the connection stalled');
        }
        sink.onBytes('log', 0, Buffer.from('x'));
        return untilAborted(signal);
      },
    ]);
    const { details } = await submitted(its);
    await its.until(() => its.jobs.find(details.id)?.trouble === 'the connection stalled');
    await its.until(() => its.jobs.find(details.id)?.trouble === undefined);
    assert.equal(connections, 2);
    assert.notEqual(its.jobs.find(details.id)?.state, 'ERROR');
  });

  it('of a lost job is unknown, and told once, however often it is looked at again', async (t) => {
    const lost: Connection = (sink) => {
      sink.onTruncated('log', 0);
      return {
        kind: 'finished',
        end: { exitCode: undefined, step: 'lost', outOfMemory: false, error: 'the container is gone' },
      };
    };
    const its = openWindow(t, [lost]);
    const { details } = await submitted(its);
    await its.until(() => its.ends.length > 0);
    assert.equal(its.ends[0]?.job.state, 'UNKNOWN');
    its.jobs.dispose();
    const later = openWindow(t, [lost, hang], its.root);
    await later.jobs.resume();
    await later.until(
      () => later.jobs.find(details.id)?.state === 'UNKNOWN' && later.platform.asked.length === 1,
    );
    // the end of a second job shows that the first one's would have been told by now
    later.platform.connections = [() => FINISHED];
    await submitted(later);
    await later.until(() => later.ends.length > 0);
    assert.deepEqual(
      later.ends.map(({ job }) => job.state),
      ['COMPLETE'],
    );
  });

  it('says so when the log cannot be written here, and leaves the job alone', async (t) => {
    const its = openWindow(t, [
      () => {
        throw new Error('ENOSPC: no space left on device');
      },
    ]);
    const { details } = await submitted(its);
    await its.until(() => its.jobs.find(details.id)?.trouble?.includes('ENOSPC') === true);
    assert.equal(its.jobs.find(details.id)?.state, 'PENDING');
    assert.equal(its.platform.cancelled.length, 0);
  });

  it('gives the lease back when a log cannot be opened', async (t) => {
    const its = openWindow(t, [() => FINISHED]);
    its.platform.onSubmit = async ({ target }) => {
      mkdirSync(its.folders.statusFile(target.jobId));
      return ok({ backendRef: 'x' });
    };
    const { details } = await submitted(its);
    await its.until(() => its.jobs.find(details.id)?.trouble !== undefined);
    rmSync(its.folders.statusFile(details.id), { recursive: true });
    await its.until(() => {
      its.jobs.followAgain(details.id);
      return its.ends.length > 0;
    });
    assert.equal(its.ends[0]?.job.state, 'COMPLETE');
  });
});

describe('several windows', () => {
  it('follow a job in one of them, and see its state in all', async (t) => {
    const { promise, resolve } = deferred<void>();
    const play: Connection = async (sink) => {
      sink.onStep('run');
      await promise;
      return FINISHED;
    };
    const first = openWindow(t, [play]);
    const { details } = await submitted(first);
    await first.until(() => first.jobs.find(details.id)?.state === 'RUNNING');
    const second = openWindow(t, [hang], first.root);
    await second.jobs.resume();
    await second.until(() => second.jobs.find(details.id) !== undefined);
    resolve(undefined);
    await first.until(() => first.ends.length > 0);
    await second.until(() => second.jobs.find(details.id)?.state === 'COMPLETE');
    assert.equal(second.platform.asked.length, 0);
    assert.deepEqual(second.ends, []);
  });

  it('take over from one that was closed, from where its copy ends', async (t) => {
    const first = openWindow(t, [
      (sink, _, signal) => {
        sink.onBytes('log', 0, Buffer.from('one\n'));
        return untilAborted(signal);
      },
    ]);
    const { details } = await submitted(first);
    await first.until(() => first.platform.asked.length === 1);
    first.jobs.dispose();
    const second = openWindow(
      t,
      [
        (sink, { log }) => {
          sink.onBytes('log', log, Buffer.from('two\n'));
          return FINISHED;
        },
      ],
      first.root,
    );
    await second.jobs.resume();
    await second.until(() => second.ends.length > 0);
    assert.deepEqual(second.platform.asked, [{ log: 4, status: 0 }]);
    assert.equal(readFileSync(second.jobs.logFile(details.id), 'utf8'), 'one\ntwo\n');
  });

  it('do not follow what has ended', async (t) => {
    const first = openWindow(t, [() => FINISHED]);
    await submitted(first);
    await first.until(() => first.ends.length > 0);
    const second = openWindow(t, [hang], first.root);
    await second.jobs.resume();
    assert.equal(second.jobs.all[0]?.state, 'COMPLETE');
    assert.equal(second.platform.asked.length, 0);
  });
});

describe('closing the window', () => {
  it('cancels nothing on the instance', async (t) => {
    const its = openWindow(t, [hang]);
    await submitted(its);
    await its.until(() => its.platform.asked.length === 1);
    its.jobs.dispose();
    assert.equal(its.platform.cancelled.length, 0);
  });
});

describe('cancelling', () => {
  it('goes to the instance; the end comes by the log', async (t) => {
    const { promise, resolve } = deferred<void>();
    const its = openWindow(t, [
      async () => {
        await promise;
        return { kind: 'finished', end: { ...COMPLETE, exitCode: 137, step: 'cancel' } };
      },
    ]);
    const { details } = await submitted(its);
    its.platform.onCancel = async () => {
      resolve(undefined);
      return ok(undefined);
    };
    assert.equal((await its.jobs.cancel(details.id, new AbortController().signal)).kind, 'ok');
    assert.deepEqual(its.platform.cancelled, [
      { jobId: details.id, instanceId: 'k3x9', instanceName: 'gpu1' },
    ]);
    await its.until(() => its.ends.length > 0);
    assert.equal(its.jobs.find(details.id)?.state, 'CANCELED');
  });

  it('that is not verified is a failure, and the job goes on', async (t) => {
    const its = openWindow(t, [hang]);
    const { details } = await submitted(its);
    its.platform.onCancel = async () => failed(OFFLINE);
    assert.equal((await its.jobs.cancel(details.id, new AbortController().signal)).kind, 'failed');
    assert.notEqual(its.jobs.find(details.id)?.state, 'CANCELED');
  });

  it('looks again at a job that nobody follows any more', async (t) => {
    const lost: Connection = () => ({
      kind: 'finished',
      end: { exitCode: undefined, step: 'lost', outOfMemory: false, error: 'x' },
    });
    const its = openWindow(t, [lost, () => ({ kind: 'finished', end: { ...COMPLETE, step: 'cancel' } })]);
    const { details } = await submitted(its);
    await its.until(() => its.jobs.find(details.id)?.state === 'UNKNOWN');
    while (its.jobs.find(details.id)?.state !== 'CANCELED') {
      await its.jobs.cancel(details.id, new AbortController().signal);
      await settled();
    }
  });

  it('of a job that is not known does nothing', async (t) => {
    const its = openWindow(t, [hang]);
    assert.equal((await its.jobs.cancel('nobody-knows', new AbortController().signal)).kind, 'ok');
    assert.equal(its.platform.cancelled.length, 0);
  });
});

describe('records of others', () => {
  it('are shown, not followed, and go when they go', async (t) => {
    const its = openWindow(t, [hang]);
    const record = await its.records.open({
      id: 'dino-train-ffffff',
      platform: 'slurm',
      image: 'x',
      network: 'dino',
      action: 'train',
      resultsDir: 's3://b/x',
    });
    await its.records.mark(record.id, { state: 'RUNNING', message: 'epoch 3', backendRef: 'cluster/dino' });
    await its.jobs.readForeign();
    const job = its.jobs.find(record.id);
    assert.equal(job?.foreign, true);
    assert.equal(
      job?.state,
      currentState({ ...record, transitions: [{ ts: '', state: 'RUNNING', message: '', source: 'agent' }] }),
    );
    assert.equal(job?.details.instanceName, 'cluster');
    its.jobs.followAgain(record.id);
    assert.equal(its.platform.asked.length, 0);
    rmSync(path.join(its.root, 'state', `${record.id}.json`));
    await its.jobs.readForeign();
    assert.equal(its.jobs.find(record.id), undefined);
  });
});
