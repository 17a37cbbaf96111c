import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { checkS3Bucket, checkS3Path, type S3Credentials } from '../../../src/storage/s3.ts';
import { parseS3Path, type S3Path } from '../../../src/storage/s3Path.ts';
import { type Moto, startMoto } from '../../support/moto.ts';

const never = new AbortController().signal;
const oddKeys = [
  'a b/c+d%20e.csv',
  'ü/学習 1.csv',
  "q'(1)!*.csv",
  'x//y',
  'a&b=c?d#e',
  '&lt;x>',
  'tilde~._-',
];

let moto: Moto;
let credentials: S3Credentials;
/** Who may read only `data/`, list all, or nothing at all. */
let reader: S3Credentials;
let lister: S3Credentials;
let nobody: S3Credentials;

before(async () => {
  moto = await startMoto();
  await moto.createBucket('bkt');
  await moto.createBucket('empty');
  for (const key of [
    'data/train/a.csv',
    'data2/b.csv',
    'data.csv',
    'both',
    'both/c',
    'marker/',
    ...oddKeys,
  ]) {
    await moto.put('bkt', key);
  }
  await moto.put('bkt', 'cold/x.bin', 'x', { 'x-amz-storage-class': 'GLACIER' });
  const user = async (name: string, statements: readonly object[]): Promise<S3Credentials> => ({
    ...(await moto.addUser(name, statements)),
    endpoint: moto.endpoint,
  });
  const bucket = 'arn:aws:s3:::bkt';
  credentials = await user('all', [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }]);
  reader = await user('reader', [{ Effect: 'Allow', Action: 's3:GetObject', Resource: `${bucket}/data/*` }]);
  lister = await user('lister', [{ Effect: 'Allow', Action: 's3:ListBucket', Resource: bucket }]);
  nobody = await user('nobody', [{ Effect: 'Deny', Action: 's3:*', Resource: '*' }]);
  await moto.enforce();
});

after(() => moto?.stop());

function pathOf(text: string): S3Path {
  const reading = parseS3Path(text, { wholeBucket: true });
  if (reading.kind !== 'path') throw new Error(`${text} is no path: ${reading.problem}`);
  return reading.path;
}

async function kindOf(text: string, as: S3Credentials = credentials): Promise<string> {
  return (await checkS3Path(pathOf(text), as, never)).kind;
}

describe('checkS3Path', () => {
  it('tells an object from a folder', async () => {
    assert.equal(await kindOf('s3://bkt/data.csv'), 'object');
    assert.equal(await kindOf('s3://bkt/data/train/a.csv'), 'object');
    assert.equal(await kindOf('s3://bkt/data'), 'folder');
    assert.equal(await kindOf('s3://bkt/data/'), 'folder');
    assert.equal(await kindOf('s3://bkt/data/train'), 'folder');
    assert.equal(await kindOf('s3://bkt/both'), 'object');
    assert.equal(await kindOf('s3://bkt/both/'), 'folder');
    assert.equal(await kindOf('s3://bkt/marker'), 'folder');
  });

  it('never takes a prefix for the path', async () => {
    for (const key of ['dat', 'data/tra', 'data/tra/', 'data2/b', 'data.cs', 'data.csv/', 'dat/', 'Data'])
      assert.equal(await kindOf(`s3://bkt/${key}`), 'missing', key);
  });

  it('tells a missing path from a missing bucket', async () => {
    assert.equal(await kindOf('s3://bkt/nothing'), 'missing');
    assert.equal(await kindOf('s3://empty/data'), 'missing');
    assert.equal(await kindOf('s3://nobkt/data'), 'bucketMissing');
    assert.equal(await kindOf('s3://nobkt/data/'), 'bucketMissing');
  });

  it('asks for keys with any character', async () => {
    for (const key of oddKeys) {
      assert.equal(await kindOf(`s3://bkt/${key}`), 'object', key);
      assert.equal(await kindOf(`s3://bkt/${key}x`), 'missing', key);
    }
    for (const folder of ['a b', 'ü', 'x/'])
      assert.equal(await kindOf(`s3://bkt/${folder}`), 'folder', folder);
  });

  it('says what is wrong with the keys', async () => {
    assert.equal(await kindOf('s3://bkt/data', { ...credentials, secretKey: 'wrong' }), 'signatureWrong');
    assert.equal(await kindOf('s3://bkt/data.csv', { ...credentials, secretKey: 'wrong' }), 'signatureWrong');
    assert.equal(await kindOf('s3://bkt/data', { ...credentials, accessKey: 'AKIANOBODY' }), 'keyUnknown');
    for (const broken of ['', 'a b', 'line\nend', 'ü'])
      assert.equal(await kindOf('s3://bkt/data', { ...credentials, accessKey: broken }), 'keysUnusable');
  });

  it('needs only the permission that the path needs', async () => {
    assert.equal(await kindOf('s3://bkt/data/train/a.csv', reader), 'object');
    assert.equal(await kindOf('s3://bkt/data.csv', reader), 'accessDenied');
    assert.equal(await kindOf('s3://bkt/data', reader), 'accessDenied');
  });

  it('does not take what can only be listed for readable', async () => {
    assert.equal(await kindOf('s3://bkt/data', lister), 'accessDenied');
    assert.equal(await kindOf('s3://bkt/data.csv', lister), 'accessDenied');
    assert.equal(await kindOf('s3://bkt/data', nobody), 'accessDenied');
  });

  it('knows archived objects', async () => {
    assert.equal(await kindOf('s3://bkt/cold/x.bin'), 'archived');
    assert.equal(await kindOf('s3://bkt/cold'), 'archived');
  });

  it('says that nobody answers at the endpoint', async () => {
    // a port on which nothing listens any more
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    server.close();
    await once(server, 'close');
    const endpoint = `http://127.0.0.1:${address.port}`;
    const outcome = await checkS3Path(pathOf('s3://bkt/data'), { ...credentials, endpoint }, never);
    assert.deepEqual(outcome, { kind: 'unreachable', code: 'ECONNREFUSED' });
  });

  it('ends at once when cancelled', async () => {
    assert.equal(
      (await checkS3Path(pathOf('s3://bkt/data'), credentials, AbortSignal.abort())).kind,
      'cancelled',
    );
  });
});

describe('checkS3Bucket', () => {
  const bucketKind = async (text: string, as = credentials): Promise<string> =>
    (await checkS3Bucket(pathOf(text), as, never)).kind;

  it('asks for the bucket, whatever is at the path', async () => {
    assert.equal(await bucketKind('s3://bkt/results/new'), 'reachable');
    assert.equal(await bucketKind('s3://empty'), 'reachable');
    assert.equal(await bucketKind('s3://nobkt/results'), 'bucketMissing');
    assert.equal(await bucketKind('s3://bkt/results', nobody), 'accessDenied');
    assert.equal(
      await bucketKind('s3://bkt/results', { ...credentials, secretKey: 'wrong' }),
      'signatureWrong',
    );
  });
});
