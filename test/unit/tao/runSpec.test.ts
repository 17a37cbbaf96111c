import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isJobId } from '../../../src/jobs/record.ts';
import { newJobId } from '../../../src/tao/runSpec.ts';

it('a job is called after its network and action', () => {
  assert.equal(
    newJobId({ network: 'visual_changenet', action: 'train' }, '0a1b2c'),
    'visual_changenet-train-0a1b2c',
  );
});

it('a job’s id is a name for a file and for a container, whatever the user typed', () => {
  for (const word of [
    '',
    ' ',
    '../../x',
    '-rf',
    '--all',
    '$(x)',
    'a b',
    'a\nb',
    '学習',
    '.hidden',
    "it's",
    'x'.repeat(500),
    '___',
  ]) {
    for (const spec of [
      { network: word, action: 'train' },
      { network: 'segformer', action: word },
      { network: word, action: word },
    ]) {
      const id = newJobId(spec, '0a1b2c');
      assert.ok(isJobId(id), id);
      assert.match(id, /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/);
      assert.match(id, /-0a1b2c$/);
      assert.ok(id.length <= 200, id);
    }
  }
});
