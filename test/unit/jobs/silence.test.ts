import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Job } from '../../../src/jobs/job.ts';
import { lastOutputAt, Silence } from '../../../src/jobs/silence.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';

const MINUTE = 60_000;

const job = (fields: Partial<Job> = {}): Job => ({
  details: {
    id: 'train-1',
    platform: 'brev',
    instanceId: 'k3x9',
    instanceName: 'gpu1',
    specUri: '',
    network: 'segformer',
    action: 'train',
    image: '',
    gpus: 'all',
    submittedAt: 0,
  },
  state: 'RUNNING',
  note: 'run',
  trouble: undefined,
  foreign: false,
  changedAt: 0,
  ...fields,
});

/** Looks every two seconds, as the window does, from one minute to another; gives the last answer in minutes. */
function watch(silence: Silence, from: number, to: number, last?: number, its = job()): number {
  let ms = 0;
  for (let now = from * MINUTE; now <= to * MINUTE; now += 2_000) {
    ms = silence.of(its, last === undefined ? undefined : last * MINUTE, now);
  }
  return ms / MINUTE;
}

describe('a running job that says nothing', () => {
  it('users F: ocean-node#1442 is silent since its last byte, and speaks again with the next', () => {
    const silence = new Silence();
    assert.equal(watch(silence, 0, 5, 3), 2);
    assert.equal(watch(silence, 5, 33, 3), 30);
    assert.equal(watch(silence, 33, 34, 34), 0);
  });

  it('is silent from the start where nothing ever came', () => {
    assert.equal(watch(new Silence(), 0, 12), 12);
  });

  it('is not called silent for the time in which nobody could see', () => {
    const silence = new Silence();
    // a window that opens long after the last byte has yet to fetch what came meanwhile
    assert.equal(watch(silence, 100, 104, 1), 4);
    // the computer slept
    assert.equal(watch(silence, 600, 603, 1), 3);
    const troubled = job({ trouble: 'the connection ended' });
    assert.equal(watch(silence, 603, 620, 1, troubled), 0);
    assert.equal(watch(silence, 620, 625, 1), 5);
  });

  it('is silent only while it runs', () => {
    for (const state of ['PENDING', 'UNKNOWN', 'COMPLETE', 'ERROR', 'CANCELED'] as const) {
      assert.equal(watch(new Silence(), 0, 60, 1, job({ state })), 0);
    }
  });

  it('is heard in its log and in its status.json, whichever came last', async (t) => {
    const folder = temporaryFolder(t);
    const log = path.join(folder, 'log');
    const status = path.join(folder, 'status.json');
    assert.equal(await lastOutputAt([log, status]), undefined);
    writeFileSync(log, '');
    assert.equal(await lastOutputAt([log, status]), undefined, 'an empty copy is no output');
    writeFileSync(log, 'Epoch 1\n');
    utimesSync(log, 1_000, 1_000);
    assert.equal(await lastOutputAt([log, status]), 1_000_000);
    writeFileSync(status, '{}\n');
    utimesSync(status, 2_000, 2_000);
    assert.equal(await lastOutputAt([log, status]), 2_000_000);
  });
});
