import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isTerminal, makeJobId } from '../../../src/jobs/job.ts';
import { JobFolders } from '../../../src/jobs/jobFolder.ts';
import { Jobs } from '../../../src/jobs/jobs.ts';
import { RecordStore } from '../../../src/jobs/recordStore.ts';
import type { Submission } from '../../../src/jobs/submitting.ts';
import type { LeptonPlacement } from '../../../src/platforms/lepton/placement.ts';
import type { Platform, PlatformId } from '../../../src/platforms/platform.ts';
import { type Clock, systemClock } from '../../../src/process/clock.ts';
import { Redactor } from '../../../src/process/redact.ts';
import { message } from '../../../src/values/message.ts';
import { cancelled, failed } from '../../../src/values/outcome.ts';
import { settled } from '../../support/fake-clock.ts';
import { value } from '../../support/outcomes.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';
import { FINISHED, PlayedPlatform, untilAborted } from './playedPlatform.ts';

/** Pauses are a hundredth as long. */
const quickClock: Clock = {
  now: () => systemClock.now(),
  after: (ms, callback) => systemClock.after(ms / 100, callback),
};
const PLACEMENT: LeptonPlacement = {
  resourceShape: 'gpu.8xh100-80gb',
  nodeGroup: 'ng-1',
  nodes: 2,
  image: 'nvcr.io/x:1',
  environment: { NCCL_DEBUG: 'INFO' },
  secretNames: { HF_TOKEN: 'team-hf' },
  outputs: [{ uri: 's3://bucket/run', path: '/results', kind: 'folder' }],
};

const submission = (fields: Partial<Submission> = {}): Submission => ({
  platform: 'brev',
  work: { kind: 'command', command: 'true' },
  instance: { id: 'k3x9', name: 'gpu1' },
  specUri: '',
  secrets: { environment: new Map([['HF_TOKEN', 'hf_secretsecret']]), ngcKey: undefined },
  onStep: () => undefined,
  signal: new AbortController().signal,
  ...fields,
});

/** One window with two platforms, whose jobs hang until they are let go. */
function openWindow(t: TestContext, root = temporaryFolder(t)) {
  const brev = new PlayedPlatform((_sink, _offsets, signal) => untilAborted(signal));
  const lepton = new PlayedPlatform((_sink, _offsets, signal) => untilAborted(signal));
  lepton.id = 'lepton';
  const records = new RecordStore(path.join(root, 'state'), systemClock, new Redactor());
  const folders = new JobFolders(path.join(root, 'jobs'));
  const jobs = new Jobs({
    platforms: new Map<PlatformId, Platform>([
      ['brev', brev],
      ['lepton', lepton],
    ]),
    records,
    folders,
    clock: quickClock,
    random: () => 0,
    log: () => undefined,
  });
  t.after(() => jobs.dispose());
  const state = async (id: string): Promise<string | undefined> => {
    for (;;) {
      const job = jobs.find(id);
      if (job === undefined || isTerminal(job.state)) {
        return job?.state;
      }
      await settled();
    }
  };
  return { brev, folders, jobs, lepton, records, root, state };
}

describe('a job on one of several platforms', () => {
  it('is submitted, followed and cancelled there, also after a reload', async (t) => {
    const first = openWindow(t);
    const { details } = value(
      await first.jobs.submit(submission({ platform: 'lepton', placement: PLACEMENT })),
    );
    assert.equal(details.platform, 'lepton');
    assert.equal(first.brev.submitted.length, 0);
    while (first.lepton.asked.length === 0) await settled();
    first.jobs.dispose();
    const second = openWindow(t, first.root);
    await second.jobs.resume();
    while (second.lepton.asked.length === 0) await settled();
    await second.jobs.cancel(details.id, new AbortController().signal);
    assert.deepEqual(
      second.lepton.cancelled.map(({ jobId }) => jobId),
      [details.id],
    );
    assert.equal(second.brev.asked.length + second.brev.cancelled.length, 0);
  });

  it('keeps where it ran, to run it again', async (t) => {
    const its = openWindow(t);
    let given: LeptonPlacement | undefined;
    const { onSubmit } = its.lepton;
    its.lepton.onSubmit = (job) => {
      given = job.placement;
      return onSubmit(job);
    };
    const { details } = value(
      await its.jobs.submit(submission({ platform: 'lepton', placement: PLACEMENT })),
    );
    assert.deepEqual(given, PLACEMENT);
    assert.deepEqual((await its.folders.read(details.id))?.placement, PLACEMENT);
    const record = await its.records.read(details.id);
    assert.equal(record?.platform, 'lepton');
    assert.equal(record.image, 'nvcr.io/x:1');
    assert.equal(record.results_dir, 's3://bucket/run');
    assert.equal(record.storage_tier, 'B');
  });

  it('that the platform refused for sure is an error, not a job that may run', async (t) => {
    for (const [kind, expected] of [
      ['forbidden', 'ERROR'],
      ['createOutcomeUnknown', 'UNKNOWN'],
    ] as const) {
      const its = openWindow(t);
      its.lepton.onSubmit = async ({ onStep }) => {
        onStep('launching');
        return failed({ kind, message: message('x'), retrySafe: true });
      };
      await its.jobs.submit(submission({ platform: 'lepton', placement: PLACEMENT }));
      assert.equal(its.jobs.all[0]?.state, expected, kind);
    }
  });

  it('that this version does not know is shown, not followed', async (t) => {
    const its = openWindow(t);
    const { details } = value(await its.jobs.submit(submission()));
    its.jobs.dispose();
    const file = path.join(its.folders.folder(details.id), 'job.json');
    writeFileSync(file, JSON.stringify({ ...details, platform: 'slurm' }));
    const later = openWindow(t, its.root);
    await later.jobs.resume();
    await later.jobs.readForeign();
    assert.equal(later.jobs.find(details.id)?.foreign, true);
    assert.equal((await later.jobs.cancel(details.id, new AbortController().signal)).kind, 'failed');
    assert.equal((await later.jobs.results(details.id, new AbortController().signal)).kind, 'failed');
    assert.equal(later.brev.asked.length + later.brev.cancelled.length, 0);
  });
});

describe('an id that was chosen before', () => {
  const id = makeJobId({ kind: 'command', command: 'true' });

  it('is launched once, however often and from however many windows it is submitted', async (t) => {
    const first = openWindow(t);
    const second = openWindow(t, first.root);
    const all = await Promise.all(
      [first, first, second, second].map(({ jobs }) => jobs.submit(submission({ id }))),
    );
    assert.deepEqual(
      all.map((outcome) => value(outcome).details.id),
      [id, id, id, id],
    );
    assert.equal(first.brev.submitted.length + second.brev.submitted.length, 1);
  });

  it('is not launched again after its job has ended', async (t) => {
    const its = openWindow(t);
    its.brev.connections = [() => FINISHED];
    await its.jobs.submit(submission({ id }));
    assert.equal(await its.state(id), 'COMPLETE');
    const later = openWindow(t, its.root);
    assert.equal(value(await later.jobs.submit(submission({ id }))).state, 'COMPLETE');
    assert.equal(later.brev.submitted.length, 0);
  });

  it('is launched when the window before it was killed before the record', async (t) => {
    for (const what of ['folder', 'details', 'a dead lease'] as const) {
      const its = openWindow(t);
      const folder = its.folders.folder(id);
      mkdirSync(folder, { recursive: true });
      if (what !== 'folder') {
        const { details } = value(await its.jobs.submit(submission()));
        await its.folders.create({ ...details, id }, submission().work);
      }
      if (what === 'a dead lease') {
        writeFileSync(its.folders.leaseFile(id), '99999999');
      }
      const later = openWindow(t, its.root);
      // the look for jobs of before, at the same time, clears away what was only begun
      await Promise.all([later.jobs.resume(), later.jobs.submit(submission({ id })).then(value)]);
      assert.equal(later.brev.submitted.filter(({ jobId }) => jobId === id).length, 1, what);
      assert.notEqual(await later.records.read(id), undefined);
    }
  });

  it('is launched when it was recorded only: another computer may have launched it, under the same id', async (t) => {
    for (const meanwhile of [
      'nothing',
      'it was ended as never launched',
      'it is just being ended',
    ] as const) {
      const its = openWindow(t);
      const { details } = value(await its.jobs.submit(submission()));
      await its.folders.create({ ...details, id }, submission().work);
      const words = { image: '', network: 'command', action: 'run', resultsDir: '' };
      await its.records.open({ id, platform: 'brev', ...words });
      const later = openWindow(t, its.root);
      if (meanwhile !== 'nothing') await later.jobs.resume();
      if (meanwhile === 'it was ended as never launched') assert.equal(await later.state(id), 'ERROR');
      later.brev.connections = [() => FINISHED];
      await later.jobs.submit(submission({ id }));
      assert.equal(later.brev.submitted.filter(({ jobId }) => jobId === id).length, 1, meanwhile);
      assert.equal(await later.state(id), 'COMPLETE', meanwhile);
      const record = await later.records.read(id);
      assert.equal(record?.terminal_state, 'COMPLETE');
      assert.ok(!record.transitions.some(({ state }) => state === 'ERROR'), meanwhile);
    }
  });

  it('is not launched when that was refused or cancelled', async (t) => {
    const refused = openWindow(t);
    refused.brev.onSubmit = async () =>
      failed({ kind: 'unreachable', message: message('x'), retrySafe: true });
    assert.equal((await refused.jobs.submit(submission({ id }))).kind, 'failed');
    const cancelledOne = openWindow(t);
    const abort = new AbortController();
    cancelledOne.brev.onSubmit = async () => {
      abort.abort();
      return cancelled;
    };
    await cancelledOne.jobs.submit(submission({ id, signal: abort.signal }));
    for (const [its, state] of [
      [refused, 'ERROR'],
      [cancelledOne, 'CANCELED'],
    ] as const) {
      const later = openWindow(t, its.root);
      assert.equal(value(await later.jobs.submit(submission({ id }))).state, state);
      assert.equal(later.brev.submitted.length, 0);
    }
  });

  it('whose launch had begun is followed, not launched', async (t) => {
    const its = openWindow(t);
    await its.jobs.submit(submission({ id }));
    its.jobs.dispose();
    const later = openWindow(t, its.root);
    later.brev.connections = [() => FINISHED];
    await later.jobs.submit(submission({ id }));
    assert.equal(await later.state(id), 'COMPLETE');
    assert.equal(later.brev.submitted.length, 0);
  });

  it('of a job that somebody else submitted is that job', async (t) => {
    const its = openWindow(t);
    const words = { image: '', network: 'command', action: 'run', resultsDir: '' };
    await its.records.open({ id, platform: 'slurm', ...words });
    const job = value(await its.jobs.submit(submission({ id })));
    assert.equal(job.foreign, true);
    assert.equal(its.brev.submitted.length, 0);
    assert.deepEqual(await its.folders.list(), []);
  });

  it('that cannot name a file is refused', async (t) => {
    const its = openWindow(t);
    assert.equal((await its.jobs.submit(submission({ id: '../x' }))).kind, 'failed');
    assert.equal(its.brev.submitted.length, 0);
  });
});
