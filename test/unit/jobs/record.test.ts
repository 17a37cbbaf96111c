import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod/mini';
import { currentMessage, currentState, isJobId, jobRecord } from '../../../src/jobs/record.ts';

/** A record as the skill bank's own writer makes it (tao.md part 2). */
const RECORD = {
  schema_version: 1,
  id: 'segformer-train-0a1b2c',
  platform: 'brev',
  backend_ref: 'gpu1/segformer-train-0a1b2c',
  image: 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt',
  network_arch: 'segformer',
  action: 'train',
  results_dir: 's3://bucket/results/segformer-train-0a1b2c',
  storage_tier: 'B',
  submitted_at: '2026-12-01T09:00:00Z',
  transitions: [
    { ts: '2026-12-01T09:00:00Z', state: 'PENDING', message: 'record opened before launch', source: 'agent' },
  ],
  terminal_state: null,
  redacted: true,
};
const isRecord = (value: unknown) => z.safeParse(jobRecord, value).success;

describe('a job record', () => {
  it('is read as the skill bank writes it, with and without what is optional', () => {
    assert.ok(isRecord(RECORD));
    assert.ok(
      isRecord({
        ...RECORD,
        backend_ref: null,
        upload_excludes: ['*.tmp'],
        terminal_state: 'ERROR',
        terminal_write_by: 'backend-hook',
        err_class: 'ERR_INFRA',
        retry_of: null,
        parent_job: 'a-b-c',
      }),
    );
  });

  it('is not read when it is none', () => {
    for (const [field, value] of [
      ['schema_version', 2],
      ['id', '../x'],
      ['id', ''],
      ['platform', 'My Platform'],
      ['platform', 'x'.repeat(33)],
      ['storage_tier', 'D'],
      ['transitions', []],
      ['transitions', [{ ts: 'x', state: 'DONE', message: '', source: 'agent' }]],
      ['transitions', [{ ts: 'x', state: 'PENDING', message: '', source: 'me' }]],
      ['terminal_state', 'RUNNING'],
      ['redacted', false],
      ['image', undefined],
    ] as const) {
      assert.ok(!isRecord({ ...RECORD, [field]: value }), field);
    }
    for (const value of [null, [], 'x', 7, {}]) {
      assert.ok(!isRecord(value));
    }
  });

  it('has the state and the words that were written last; a terminal state counts above all', () => {
    const record = z.parse(jobRecord, {
      ...RECORD,
      transitions: [...RECORD.transitions, { ts: 'x', state: 'RUNNING', message: 'run', source: 'poller' }],
    });
    assert.equal(currentState(record), 'RUNNING');
    assert.equal(currentMessage(record), 'run');
    assert.equal(currentState({ ...record, terminal_state: 'ERROR' }), 'ERROR');
  });

  it('has an id that is a file name and a container name', () => {
    for (const id of ['a', 'segformer-train-0a1b2c', 'A.b_c-1']) {
      assert.ok(isJobId(id), id);
    }
    for (const id of ['', '.', '..', '.x', '-x', 'a/b', '../a', 'a b', 'a\n', 'a\0']) {
      assert.ok(!isJobId(id), JSON.stringify(id));
    }
  });
});
