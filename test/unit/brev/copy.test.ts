import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { copyToInstance } from '../../../src/brev/copy.ts';
import { argumentsOf, refusal } from './outcomes.ts';

describe('copy', () => {
  it('names the file on the instance by one colon', () => {
    assert.deepEqual(argumentsOf(copyToInstance('/tmp/a b', 'gpu1', '.jobs/a', 1)), [
      'copy',
      '/tmp/a b',
      'gpu1:.jobs/a',
    ]);
  });

  it('refuses paths that it would take for something else', () => {
    for (const [local, remote] of [
      ['C:\\x', 'a'],
      ['/a:b', 'a'],
      ['-r', 'a'],
      ['/a', 'b:c'],
    ] as const) {
      assert.equal(refusal(copyToInstance(local, 'gpu1', remote, 1)), 'localFile');
    }
  });
});
