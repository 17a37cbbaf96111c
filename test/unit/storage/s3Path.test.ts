import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseS3Path } from '../../../src/storage/s3Path.ts';

describe('parseS3Path', () => {
  it('takes bucket and key exactly as written', () => {
    const keys = [
      'a',
      'a/',
      'a/b.csv',
      '/a',
      'a//b',
      ' a b ',
      'a+b%20c',
      'ü/学習.csv',
      '*?#&',
      '...',
      '.a/b.',
    ];
    for (const key of keys) {
      assert.deepEqual(parseS3Path(`s3://my-bucket/${key}`), {
        kind: 'path',
        path: { bucket: 'my-bucket', key },
      });
    }
  });

  it('refuses what would list buckets or all of a bucket', () => {
    for (const text of ['s3://', 's3:///', 's3:///key']) {
      assert.deepEqual(parseS3Path(text), { kind: 'problem', problem: 'noBucket' }, text);
    }
    for (const text of ['s3://bkt', 's3://bkt/']) {
      assert.deepEqual(parseS3Path(text), { kind: 'problem', problem: 'noKey' }, text);
    }
  });

  it('takes a whole bucket where that is asked for', () => {
    for (const text of ['s3://bkt', 's3://bkt/']) {
      assert.deepEqual(parseS3Path(text, { wholeBucket: true }), {
        kind: 'path',
        path: { bucket: 'bkt', key: '' },
      });
    }
    assert.equal(parseS3Path('s3://', { wholeBucket: true }).kind, 'problem');
  });

  it('refuses other schemes, and names that would mean something else in a URL', () => {
    for (const text of ['S3://bkt/a', 's3a://bkt/a', ' s3://bkt/a', '/data', 'https://bkt/a']) {
      assert.deepEqual(parseS3Path(text), { kind: 'problem', problem: 'notS3' }, text);
    }
    for (const bucket of ['a', '.a', 'evil.com@x', 'a:80', 'a b', 'a?b', 'a#b', 'a%2fb', 'a\\b']) {
      assert.deepEqual(parseS3Path(`s3://${bucket}/k`), { kind: 'problem', problem: 'bucketName' }, bucket);
    }
  });

  it('refuses keys that a URL cannot carry', () => {
    for (const key of ['../a', 'a/..', 'a/./b', '.', '\ud800', 'x'.repeat(1025)]) {
      assert.deepEqual(parseS3Path(`s3://bkt/${key}`), { kind: 'problem', problem: 'key' }, key);
    }
  });
});
