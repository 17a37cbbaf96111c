import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { presignPut } from '../../../src/storage/presign.ts';
import type { S3Credentials } from '../../../src/storage/s3.ts';
import { S3Upload } from '../../../src/storage/s3Upload.ts';
import { type Moto, startMoto } from '../../support/moto.ts';
import { presignedSignature, type S3Gateway, startS3Gateway } from './s3Gateway.ts';

const never = new AbortController().signal;
const MIB = 1024 * 1024;

let moto: Moto;
let gateway: S3Gateway;
let credentials: S3Credentials;
/** Who may write, and nothing else. */
let writer: S3Credentials;
/** Who may look, and nothing else. */
let reader: S3Credentials;

before(async () => {
  moto = await startMoto();
  await moto.createBucket('bkt');
  const user = async (name: string, actions: readonly string[]): Promise<S3Credentials> => ({
    ...(await moto.addUser(name, [{ Effect: 'Allow', Action: actions, Resource: '*' }])),
  });
  credentials = await user('all', ['s3:*']);
  writer = await user('writer', ['s3:PutObject']);
  reader = await user('reader', ['s3:GetObject', 's3:ListBucket']);
  gateway = await startS3Gateway(moto, [credentials, writer, reader]);
  credentials = { ...credentials, endpoint: gateway.endpoint };
  writer = { ...writer, endpoint: gateway.endpoint };
  reader = { ...reader, endpoint: gateway.endpoint };
  await moto.enforce();
});
after(async () => {
  await gateway?.stop();
  await moto?.stop();
});

const pathOf = (key: string) => ({ bucket: 'bkt', key });
const upload = (as = credentials) => new S3Upload(as, never);

async function urlFor(
  key: string,
  as = credentials,
  part?: { readonly uploadId: string; readonly number: number },
): Promise<string> {
  const url = await upload(as).putUrl(pathOf(key), 600, part);
  assert.equal(url.kind, 'url');
  return url.kind === 'url' ? url.url : '';
}

async function put(url: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  return fetch(url, { method: 'PUT', body });
}

describe('a URL for one object', () => {
  it('puts it without a key, whatever its name', async () => {
    for (const key of ['a.pth', 'ü/学習 1+2%20.csv', "q'(1)!*~&=?#.csv", 'x//y']) {
      assert.equal((await put(await urlFor(key), key)).status, 200, key);
      assert.deepEqual(await upload().look(pathOf(key)), { kind: 'object', bytes: Buffer.byteLength(key) });
    }
  });

  it('is signed for this object, this method and this time', async () => {
    const url = await urlFor('mine');
    assert.equal((await put(url.replace('/mine?', '/other?'), 'x')).status, 403);
    assert.equal((await fetch(url, { method: 'DELETE' })).status, 403);
    assert.equal((await put(url.replace('X-Amz-Expires=600', 'X-Amz-Expires=900'), 'x')).status, 403);
    assert.deepEqual(await upload().look(pathOf('mine')), { kind: 'missing' });
  });

  it('is of no use after its time', async () => {
    const url = await upload().putUrl(pathOf('late'), -1);
    assert.equal(url.kind, 'url');
    assert.equal((await put(url.kind === 'url' ? url.url : '', 'x')).status, 403);
  });

  it('can do no more than the key that signed it', async () => {
    assert.equal((await put(await urlFor('mine', reader), 'x')).status, 403);
    assert.equal((await put(await urlFor('mine', { ...credentials, secretKey: 'wrong' }), 'x')).status, 403);
    assert.equal((await put(await urlFor('written', writer), 'x')).status, 200);
  });

  it('has the algorithm, its limits and the session token, but no secret', async () => {
    const url = new URL(
      await presignPut(
        'https://bkt.s3.eu-west-1.amazonaws.com/a%20b?partNumber=7&uploadId=a%2Bb',
        'eu-west-1',
        { accessKey: 'AKIAEXAMPLE', secretKey: 'wJalrSECRET', sessionToken: 'to/ken+=' },
        3_600,
      ),
    );
    const signed = Object.fromEntries(url.searchParams);
    assert.equal(url.origin + url.pathname, 'https://bkt.s3.eu-west-1.amazonaws.com/a%20b');
    assert.match(signed['X-Amz-Credential'] ?? '', /^AKIAEXAMPLE\/\d{8}\/eu-west-1\/s3\/aws4_request$/);
    assert.match(signed['X-Amz-Signature'] ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(
      [signed.partNumber, signed.uploadId, signed['X-Amz-Expires'], signed['X-Amz-Security-Token']],
      ['7', 'a+b', '3600', 'to/ken+='],
    );
    assert.ok(!url.toString().includes('SECRET'));
  });

  it('is checked here as AWS does in its own example', () => {
    const url = new URL(
      'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host',
    );
    assert.equal(
      presignedSignature(url, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'GET'),
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });

  it('is none where the keys or the place can be none', async () => {
    const kindFor = async (more: Partial<S3Credentials>) =>
      (await upload({ ...credentials, ...more }).putUrl(pathOf('a'), 600)).kind;
    assert.equal(await kindFor({ accessKey: 'a b' }), 'keysUnusable');
    assert.equal(await kindFor({ endpoint: 'ftp://x' }), 'endpointInvalid');
    assert.equal(await kindFor({ region: 'a/b' }), 'regionInvalid');
  });
});

describe('an object in parts', () => {
  const [first, second] = [new Uint8Array(5 * MIB).fill(1), new Uint8Array([2, 3])];

  async function opened(key: string): Promise<string> {
    const open = await upload().openParts(pathOf(key));
    assert.equal(open.kind, 'opened');
    return open.kind === 'opened' ? open.uploadId : '';
  }

  it('is there once it is made of all of them', async () => {
    const uploadId = await opened('large');
    const etags: string[] = [];
    for (const [index, body] of [first, second].entries()) {
      const response = await put(await urlFor('large', credentials, { uploadId, number: index + 1 }), body);
      etags.push(response.headers.get('etag') ?? '');
    }
    assert.deepEqual(await upload().look(pathOf('large')), { kind: 'missing' });
    assert.deepEqual(await upload().finishParts(pathOf('large'), uploadId, etags), { kind: 'finished' });
    assert.deepEqual(await upload().look(pathOf('large')), { kind: 'object', bytes: 5 * MIB + 2 });
  });

  it('is not made of parts that are not there', async () => {
    const uploadId = await opened('wrong');
    const finished = await upload().finishParts(pathOf('wrong'), uploadId, ['"nothing"']);
    assert.equal(finished.kind, 'unexpected');
    assert.deepEqual(await upload().look(pathOf('wrong')), { kind: 'missing' });
  });

  it('is gone when it is thrown away, also for the second time', async () => {
    const uploadId = await opened('dropped');
    assert.deepEqual(await upload().dropParts(pathOf('dropped'), uploadId), { kind: 'dropped' });
    assert.deepEqual(await upload().dropParts(pathOf('dropped'), uploadId), { kind: 'dropped' });
    const late = await put(await urlFor('dropped', credentials, { uploadId, number: 1 }), second);
    assert.equal(late.ok, false);
  });

  it('needs the right to write', async () => {
    assert.equal((await upload(reader).openParts(pathOf('a'))).kind, 'accessDenied');
  });
});

describe('what is answered about a bucket and an object', () => {
  it('tells what keeps them from being used', async () => {
    assert.equal((await upload().bucket(pathOf('results'))).kind, 'reachable');
    assert.equal((await upload().bucket({ bucket: 'nobkt', key: '' })).kind, 'bucketMissing');
    assert.equal((await upload(writer).bucket(pathOf(''))).kind, 'accessDenied');
    assert.equal((await upload(writer).look(pathOf('a'))).kind, 'accessDenied');
  });

  it('does not take an error that comes with a 200 for an object', async () => {
    const answering = (body: string, headers: Record<string, string> = {}) =>
      new S3Upload(credentials, never, async () => new Response(body, { status: 200, headers }));
    const error = '<Error><Code>InternalError</Code></Error>';
    assert.equal((await answering(error).finishParts(pathOf('a'), 'id', ['"x"'])).kind, 'unexpected');
    assert.equal((await answering('<html>').openParts(pathOf('a'))).kind, 'unexpected');
    assert.equal((await answering('', { 'content-length': '3' }).look(pathOf('a'))).kind, 'unexpected');
  });
});
