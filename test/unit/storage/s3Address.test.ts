import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeS3Key, isRegion, s3Server, s3Url } from '../../../src/storage/s3Address.ts';

const aws = { kind: 'aws' } as const;

describe('s3Server', () => {
  it('is AWS without an endpoint', () => {
    for (const endpoint of [undefined, '', '  ']) assert.deepEqual(s3Server(endpoint), aws);
  });

  it('keeps the path of an endpoint, not its final slashes', () => {
    assert.deepEqual(s3Server(' https://host:9000/minio// '), {
      kind: 'endpoint',
      origin: 'https://host:9000',
      pathPrefix: '/minio',
    });
    assert.deepEqual(s3Server('http://127.0.0.1:9000'), {
      kind: 'endpoint',
      origin: 'http://127.0.0.1:9000',
      pathPrefix: '',
    });
  });

  it('refuses what is no web address, or carries a password or a query', () => {
    for (const endpoint of [
      'host:9000',
      'host',
      'ftp://host',
      'https://u:p@host',
      'https://host/?a=b',
      'https://',
    ])
      assert.deepEqual(s3Server(endpoint), { kind: 'invalid' }, endpoint);
  });
});

describe('s3Url', () => {
  it("has the bucket in AWS's host where its name allows", () => {
    assert.equal(s3Url(aws, 'eu-west-1', 'bkt', 'a b/c'), 'https://bkt.s3.eu-west-1.amazonaws.com/a%20b/c');
    assert.equal(s3Url(aws, 'eu-west-1', 'bkt'), 'https://bkt.s3.eu-west-1.amazonaws.com/');
    assert.equal(s3Url(aws, 'us-east-1', 'my.bkt', 'k'), 'https://s3.us-east-1.amazonaws.com/my.bkt/k');
    assert.equal(s3Url(aws, 'us-east-1', 'Old_Bkt'), 'https://s3.us-east-1.amazonaws.com/Old_Bkt');
    assert.equal(s3Url(aws, 'cn-north-1', 'bkt', 'k'), 'https://bkt.s3.cn-north-1.amazonaws.com.cn/k');
  });

  it('has the bucket in the path of an endpoint', () => {
    const server = s3Server('https://host/minio');
    assert.equal(server.kind, 'endpoint');
    if (server.kind === 'endpoint') {
      assert.equal(s3Url(server, 'us-east-1', 'bkt', '/k'), 'https://host/minio/bkt//k');
      assert.equal(s3Url(server, 'us-east-1', 'bkt'), 'https://host/minio/bkt');
    }
  });

  it('survives the parser of URLs', () => {
    const key = "a+b c%2F!'()*?#&=/ü/学習~._-";
    assert.equal(decodeURIComponent(new URL(s3Url(aws, 'us-east-1', 'bkt', key)).pathname), `/${key}`);
    assert.match(encodeS3Key(key), /^[\w.~%/-]+$/);
  });
});

describe('isRegion', () => {
  it('lets nothing into a host name that is no region', () => {
    for (const region of ['us-east-1', 'auto', 'cn-north-1']) assert.ok(isRegion(region), region);
    for (const region of ['', 'evil.com/', 'a.b', '-a', 'US', 'a b', 'x'.repeat(60)])
      assert.ok(!isRegion(region), region);
  });
});
