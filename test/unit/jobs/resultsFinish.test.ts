import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ResultsSource } from '../../../src/jobs/results.ts';
import { downloadResults } from '../../../src/jobs/resultsDownload.ts';
import { type LeftBehind, leftBehind, writtenSince } from '../../../src/jobs/resultsFinish.ts';
import { failed } from '../../../src/values/outcome.ts';
import { failureOf, value } from '../../support/outcomes.ts';
import { KeptResults, unreachable } from './keptResults.ts';

const never = new AbortController().signal;

let root = '';
const kept = new Map<string, KeptResults>();
let sources: ResultsSource[] = [];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'brev-results-'));
  kept.clear();
  for (const jobId of ['first', 'second', 'none']) {
    mkdirSync(path.join(root, jobId));
    kept.set(jobId, new KeptResults(path.join(root, jobId)));
  }
  sources = [...kept].map(([jobId, { list }]) => ({ jobId, list }));
  of('first').leave({ 'train/a': 'aa', '.tao/state': 'x' });
  of('second').leave({ b: 'b' });
});
afterEach(() => rm(root, { recursive: true }));

function of(jobId: string): KeptResults {
  const found = kept.get(jobId);
  assert.ok(found);
  return found;
}

const look = async (): Promise<LeftBehind> => value(await leftBehind(sources, never));
const gone: ResultsSource = {
  jobId: 'gone',
  list: async () => failed({ kind: 'jobLost', message: { template: 'gone', args: [] }, retrySafe: true }),
};

describe('what the jobs of an instance left', () => {
  it('is the files worth saving, of the jobs that have some', async () => {
    sources.push(gone);
    const { files, jobIds } = await look();
    assert.deepEqual(jobIds, ['first', 'second']);
    assert.deepEqual(
      files.map((file) => file.path),
      ['train/a', 'b'],
    );
  });

  it('is something also where it can only be refused', async () => {
    of('none').told = { unusable: [{ path: '.', reason: 'unreadable' }] };
    assert.deepEqual((await look()).jobIds, ['first', 'second', 'none']);
    of('none').told = { whole: false };
    assert.deepEqual((await look()).jobIds, ['first', 'second', 'none']);
  });

  it('is not known when one of them cannot be asked', async () => {
    sources.push({ jobId: 'far', list: async () => unreachable });
    assert.equal(failureOf(await leftBehind(sources, never)).kind, 'unreachable');
    assert.equal((await leftBehind(sources, AbortSignal.abort())).kind, 'cancelled');
  });
});

describe('what was written since it was saved', () => {
  const save = async (jobId: string) =>
    value(
      await downloadResults({
        jobId,
        list: of(jobId).list,
        folder: path.join(root, 'local'),
        onProgress: () => undefined,
        signal: never,
      }),
    );

  it('is nothing when all is as it was', async () => {
    const left = await look();
    const saved = [await save('first'), await save('second')];
    assert.deepEqual(value(await writtenSince(sources, left, saved, never)), []);
  });

  it('is what came after it, in a job that was saved or one that had nothing', async () => {
    const left = await look();
    const saved = [await save('first'), await save('second')];
    of('second').leave({ b: 'longer' });
    of('none').leave({ late: 'x' });
    assert.deepEqual(value(await writtenSince(sources, left, saved, never)), ['second/b', 'none/late']);
  });

  it('is what a job left that was not there before', async () => {
    const left = await look();
    const later = new KeptResults(path.join(root, 'later'));
    later.leave({ c: 'c' });
    const more = [...sources, { jobId: 'later', list: later.list }];
    const saved = [await save('first'), await save('second')];
    assert.deepEqual(value(await writtenSince(more, left, saved, never)), ['later/c']);
  });

  it('counts what was saved, although it had grown between the look and the save', async () => {
    const left = await look();
    of('first').leave({ 'train/late': 'x' });
    const saved = [await save('first'), await save('second')];
    assert.deepEqual(value(await writtenSince(sources, left, saved, never)), []);
    rmSync(path.join(root, 'first/train/late'));
    assert.deepEqual(value(await writtenSince(sources, left, saved, never)), ['first/train/late']);
  });

  it('is not known when the instance cannot be asked', async () => {
    const left = await look();
    const far = [{ jobId: 'first', list: async () => unreachable }];
    assert.equal(failureOf(await writtenSince(far, left, [], never)).kind, 'unreachable');
  });
});
