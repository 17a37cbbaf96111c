import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { readLeptonAccount } from '../../../../src/platforms/lepton/account.ts';
import { exitCodeIn } from '../../../../src/platforms/lepton/command.ts';
import { endOf } from '../../../../src/platforms/lepton/jobEnding.ts';
import { isLeptonName, leptonJobName } from '../../../../src/platforms/lepton/jobName.ts';
import { isOver, meaningOf } from '../../../../src/platforms/lepton/state.ts';

const read = (id?: string, token?: string, url?: string) =>
  readLeptonAccount({ LEPTON_WORKSPACE_ID: id, LEPTON_WORKSPACE_TOKEN: token, LEPTON_WORKSPACE_URL: url });
const gateway = 'https://gateway.dgxc-lepton.nvidia.com/api/v2/workspaces/ws1';

describe('a Lepton account', () => {
  it('is read from each of its forms', () => {
    const account = { workspaceId: 'ws1', token: 'abc', url: gateway };
    for (const reading of [
      read('ws1', 'abc'),
      read(' ws1 ', 'ws1:abc\n'),
      read('ws1:abc'),
      read(undefined, 'ws1:abc'),
      read('ws1', 'abc', `${gateway}/`),
    ]) {
      assert.deepEqual(reading, { kind: 'ok', account });
    }
    assert.deepEqual(read('ws1', 'a:b'), { kind: 'ok', account: { ...account, token: 'a:b' } });
  });

  it('is absent, or unusable without a word of the token', () => {
    assert.deepEqual(read('', ' '), { kind: 'absent' });
    for (const reading of [
      read('ws1'),
      read(undefined, 's3cret'),
      read('ws 1', 's3cret'),
      read('ws1', 's3cret\u00e9'),
      read('ws1', 's3cret', 'http://example.com'),
      read('ws1', 's3cret', 'https://u:p@example.com'),
      read('ws1', 's3cret', 'nothing'),
    ]) {
      assert.equal(reading.kind, 'unusable');
      assert.doesNotMatch(inspect(reading), /s3cret/);
    }
  });
});

describe('a name on Lepton', () => {
  it('follows from the id, within the rule', () => {
    assert.equal(leptonJobName('dino-train-a1b2c3'), 'dino-train-a1b2c3');
    const ids = [
      'visual_changenet-segment_train-a1b2c3',
      'visual_changenet-segment_train-a1b2c4',
      'Visual-Changenet',
      '7zip',
      '___',
      'x-',
      'made-by-lepton',
      'a-very-long-name-for-a-network-train-a1b2c3',
    ];
    const names = ids.map(leptonJobName);
    for (const name of names) assert.ok(isLeptonName(name), name);
    assert.equal(new Set(names).size, ids.length);
    assert.deepEqual(ids.map(leptonJobName), names);
    assert.match(names[0] ?? '', /^visual-changenet-segment-tr-[0-9a-f]{8}$/);
  });
});

describe('a state', () => {
  it('means what the contract says', () => {
    const kinds = (...states: string[]): string[] => states.map((state) => meaningOf(state).kind);
    assert.deepEqual(kinds('Queueing', 'Awaiting', 'Starting', 'PendingRetry'), Array(4).fill('pending'));
    assert.deepEqual(kinds('Running', 'Restarting'), ['running', 'running']);
    assert.deepEqual(kinds('Stopping', 'Terminating', 'Deleting'), Array(3).fill('ending'));
    assert.deepEqual(kinds('Stopped', 'Deleted'), ['stopped', 'stopped']);
    assert.deepEqual(kinds('Completed', 'Failed', 'Archived', 'UNK', 'New', ''), [
      'completed',
      'failed',
      'archived',
      'unknown',
      'unknown',
      'unknown',
    ]);
    assert.equal(isOver(meaningOf('UNK')), false);
    assert.equal(isOver(meaningOf('Archived')), true);
  });

  it('that failed says why, as far as anybody knows', () => {
    const failed = meaningOf('Failed');
    const event = (reason: string, message = ''): { reason: string; message: string } => ({
      reason,
      message,
    });
    assert.deepEqual(endOf(failed, [0, 9], []), { exitCode: 9, step: 'run', outOfMemory: false, error: '' });
    assert.equal(endOf(failed, [137], [event('OOMKilling')])?.outOfMemory, true);
    assert.equal(endOf(failed, [], [event('OOMKilling')])?.exitCode, 137);
    assert.equal(endOf(failed, [], [event('BackOff', 'Back-off pulling image "x"')])?.step, 'pull');
    const evicted = endOf(failed, [0], [event('Started'), event('Evicted', 'node pressure')]);
    assert.deepEqual([evicted?.step, evicted?.error], ['interrupted', 'Evicted: node pressure']);
    assert.match(endOf(failed, [], [])?.error ?? '', /not why/);
    assert.equal(endOf(meaningOf('Running'), [0], []), undefined);
  });
});

describe('the exit line', () => {
  it('is the last of this job, and only when it is whole', () => {
    assert.equal(exitCodeIn('j', '[tao-job j] exit code 1\n[tao-job j] exit code 12\n'), 12);
    assert.equal(exitCodeIn('j', '[tao-job j] exit code 1'), undefined);
    assert.equal(exitCodeIn('j', '[tao-job k] exit code 1\n'), undefined);
  });
});
