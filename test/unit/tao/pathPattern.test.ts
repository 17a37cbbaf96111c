import assert from 'node:assert/strict';
import { it } from 'node:test';
import { folderOfPattern } from '../../../src/tao/pathPattern.ts';

it('finds the folder that a pattern stands in', () => {
  assert.equal(folderOfPattern('/data/a/*.tfrecord'), '/data/a/');
  assert.equal(folderOfPattern('/data/a*/b/c'), '/data/');
  assert.equal(folderOfPattern('s3://bkt/shards/{000..099}.tar'), 's3://bkt/shards/');
  assert.equal(folderOfPattern('s3://bkt/x?.tar'), 's3://bkt/');
  for (const path of ['/data/a', '/data/{a}', '/data/[1].csv', 's3://bkt/a b']) {
    assert.equal(folderOfPattern(path), undefined, path);
  }
});
