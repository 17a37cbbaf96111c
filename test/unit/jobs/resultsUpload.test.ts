import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { AwsV4Signer } from 'aws4fetch';
import type { ResultsSource } from '../../../src/jobs/results.ts';
import { downloadResults } from '../../../src/jobs/resultsDownload.ts';
import { type UploadOptions, uploadResults } from '../../../src/jobs/resultsUpload.ts';
import { BrevPlatform } from '../../../src/platforms/brev/brevPlatform.ts';
import { systemClock } from '../../../src/process/clock.ts';
import { ExecShell } from '../../../src/remote/execShell.ts';
import type { S3Credentials } from '../../../src/storage/s3.ts';
import { encodeS3Key } from '../../../src/storage/s3Address.ts';
import { ok } from '../../../src/values/outcome.ts';
import { type Moto, type MotoKeys, startMoto } from '../../support/moto.ts';
import { failureOf, value } from '../../support/outcomes.ts';
import { createSshCloud, type SshCloud, type SshInstance } from '../../support/ssh-cloud.ts';
import { leave } from '../platforms/brev/leftovers.ts';
import { type S3Gateway, startS3Gateway } from '../storage/s3Gateway.ts';

const JOB = 'segformer-train-0a1b2c';
const MIB = 1024 * 1024;

let cloud: SshCloud;
let gpu: SshInstance;
let moto: Moto;
let gateway: S3Gateway;
let all: MotoKeys;
let writer: MotoKeys;
let reader: MotoKeys;
/** What the CLI, ssh and S3 were asked before a test began is no concern of it. */
let runsBefore = 0;

before(async () => {
  [cloud, moto] = await Promise.all([createSshCloud(), startMoto()]);
  gpu = await cloud.add({ name: 'gpu1' });
  await moto.createBucket('bkt');
  const user = (name: string, actions: readonly string[]) =>
    moto.addUser(name, [{ Effect: 'Allow', Action: actions, Resource: '*' }]);
  all = await user('all', ['s3:*']);
  writer = await user('writer', ['s3:PutObject']);
  reader = await user('reader', ['s3:GetObject', 's3:ListBucket']);
  gateway = await startS3Gateway(moto, [all, writer, reader]);
  await moto.enforce();
});
after(async () => {
  await gateway?.stop();
  await moto?.stop();
  await cloud?.dispose();
});
beforeEach(() => {
  rmSync(path.join(gpu.home, '.brev-jobs'), { recursive: true, force: true });
  gateway.intercept = () => undefined;
  gateway.asked.length = 0;
  runsBefore = cloud.runs.length;
});

function listBy(route: 'exec' | 'ssh'): ResultsSource['list'] {
  const platform = new BrevPlatform({
    clock: systemClock,
    shell: async (target) =>
      route === 'ssh' ? cloud.shells.shell(target) : ok(new ExecShell(cloud.brev, target.instanceName)),
  });
  return (signal) => platform.results({ jobId: JOB, instanceId: gpu.id, instanceName: 'gpu1' }, signal);
}

const credentialsOf = (keys: MotoKeys): S3Credentials => ({ ...keys, endpoint: gateway.endpoint });

/** Every test has a prefix of its own in the bucket. */
const upload = (prefix: string, more: Partial<UploadOptions> = {}) =>
  uploadResults({
    jobId: JOB,
    list: listBy('ssh'),
    destination: { bucket: 'bkt', key: prefix },
    credentials: credentialsOf(all),
    onProgress: () => undefined,
    signal: new AbortController().signal,
    ...more,
  });

async function ask(method: string, resource: string): Promise<Response> {
  const { url, headers } = await new AwsV4Signer({
    method,
    url: moto.endpoint + resource,
    accessKeyId: all.accessKey,
    secretAccessKey: all.secretKey,
    service: 's3',
    region: 'us-east-1',
  }).sign();
  return fetch(url, { method, headers });
}

const stored = async (key: string): Promise<Buffer> =>
  Buffer.from(await (await ask('GET', `/bkt/${encodeS3Key(key)}`)).arrayBuffer());
/** The keys below a prefix. */
async function keysBelow(prefix: string): Promise<string[]> {
  const text = await (await ask('GET', `/bkt?list-type=2&prefix=${encodeURIComponent(prefix)}`)).text();
  return [...text.matchAll(/<Key>([^<]+)</g)].map(([, key]) => key ?? '');
}
const openUploads = async (): Promise<string> => (await ask('GET', '/bkt?uploads')).text();

for (const route of ['exec', 'ssh'] as const) {
  describe(`an upload of results by ${route}`, () => {
    it('puts them into S3 byte by byte, with no key on the instance', async () => {
      const model = randomBytes(11 * MIB + 3);
      const folder = leave(gpu.home, JOB, {
        'train/model epoch+001.pth': model,
        'train/status.json': '{}\n',
        'train/.tao/state': 'not theirs',
        'ü/a&b=c.txt': 'odd',
        empty: '',
      });
      symlinkSync('model epoch+001.pth', path.join(folder, 'train/latest.pth'));
      symlinkSync('/etc/passwd', path.join(folder, 'out'));
      const steps: string[] = [];
      const saved = value(
        await upload(`${route}/results/`, {
          list: listBy(route),
          partBytes: 5 * MIB,
          onProgress: ({ step, doneBytes, totalBytes }) => steps.push(`${step} ${doneBytes}/${totalBytes}`),
        }),
      );
      const place = `${route}/results/${JOB}`;
      assert.deepEqual(
        { ...saved, listing: saved.listing.files.length },
        {
          jobId: JOB,
          where: `s3://bkt/${place}/`,
          files: 4,
          bytes: model.length + 6,
          linksElsewhere: ['out'],
          changed: [],
          listing: 5,
        },
      );
      assert.ok((await stored(`${place}/train/model epoch+001.pth`)).equals(model));
      assert.equal((await stored(`${place}/ü/a&b=c.txt`)).toString(), 'odd');
      assert.equal((await stored(`${place}/empty`)).length, 0);
      assert.deepEqual((await keysBelow(`${route}/`)).length, 4);
      assert.ok(!(await openUploads()).includes('<UploadId>'));
      assert.deepEqual([steps[0], steps.at(-1)], ['listing 0/0', `verifying ${saved.bytes}/${saved.bytes}`]);
      const put = gateway.asked.filter(({ method }) => method === 'PUT');
      assert.equal(put.length, 6);
      assert.ok(put.every(({ presigned }) => presigned));
      // each object was looked at, after the last one was put
      const looks = gateway.asked.slice(gateway.asked.findLastIndex(({ method }) => method === 'PUT'));
      assert.equal(looks.filter(({ method }) => method === 'HEAD').length, 4);
    });

    it('leaves neither keys nor URLs on a command line, nor anywhere else', async () => {
      leave(gpu.home, JOB, { a: 'a' });
      value(await upload(`${route}/secrets`, { list: listBy(route) }));
      const commands = cloud.runs.slice(runsBefore).map(({ options: { args, env } }) => [args, env]);
      for (const secret of [all.secretKey, all.accessKey, 'X-Amz-Signature']) {
        assert.ok(!JSON.stringify(commands).includes(secret));
        assert.ok(!cloud.log.join('\n').includes(secret));
      }
      for (const name of readdirSync(gpu.home, { recursive: true, encoding: 'utf8' })) {
        assert.ok(!name.startsWith('.brev-input'), name);
      }
    });
  });
}

describe('an upload that is not whole', () => {
  it('is none when one file is refused, and leaves no parts that cost', async () => {
    leave(gpu.home, JOB, { a: 'a', 'large.pth': randomBytes(6 * MIB), z: 'z' });
    gateway.intercept = ({ method, url }) =>
      method === 'PUT' && url.searchParams.get('partNumber') === '2' ? { status: 403 } : undefined;
    const outcome = await upload('refused', { partBytes: 5 * MIB });
    assert.match(failureOf(outcome).sentence, /S3 refused large\.pth \(HTTP 403 ?\).*s3:PutObject/);
    assert.ok(!(await openUploads()).includes('<UploadId>'));
    assert.ok(!(await keysBelow('refused/')).includes(`refused/${JOB}/large.pth`));
  });

  it('is none when an object has another size afterwards, or cannot be looked at', async () => {
    leave(gpu.home, JOB, { a: 'a', b: 'bb' });
    const answer = (headers: Record<string, string>, status = 200) => {
      gateway.intercept = ({ method, url }) =>
        method === 'HEAD' && url.pathname.endsWith('/b') ? { status, headers } : undefined;
    };
    answer({ etag: '"x"', 'content-length': '1' });
    assert.match(failureOf(await upload('size')).sentence, /b is not in S3 as it is on the instance/);
    answer({}, 404);
    assert.match(failureOf(await upload('size')).sentence, /b is not in S3 as it is on the instance/);
    answer({}, 403);
    assert.match(failureOf(await upload('size')).sentence, /may not read/);
    answer({}, 503);
    assert.match(failureOf(await upload('size')).sentence, /has trouble \(HTTP 503\)/);
  });

  it('is none when the keys may not write, or not look', async () => {
    leave(gpu.home, JOB, { a: 'a' });
    const refused = failureOf(await upload('rights', { credentials: credentialsOf(reader) }));
    assert.match(refused.sentence, /S3 refused a \(HTTP 403 AccessDenied\)/);
    assert.match(
      failureOf(await upload('rights', { credentials: credentialsOf(writer) })).sentence,
      /may not read it/,
    );
  });

  it('is none when something still writes', async () => {
    const folder = leave(gpu.home, JOB, { a: 'a' });
    gateway.intercept = ({ method }) => {
      if (method === 'HEAD') appendFileSync(path.join(folder, 'late'), 'x');
      return undefined;
    };
    assert.match(failureOf(await upload('late')).sentence, /late changed while/);
  });

  it('is not begun where S3 does not answer, or a file could not be named', async () => {
    leave(gpu.home, JOB, { a: 'a' });
    const wrong = await upload('none', { credentials: { ...credentialsOf(all), secretKey: 'wrong' } });
    assert.match(failureOf(wrong).sentence, /SECRET_KEY does not belong/);
    const missing = await upload('none', { destination: { bucket: 'nobkt', key: '' } });
    assert.match(failureOf(missing).sentence, /no bucket nobkt/);
    assert.match(failureOf(await upload('x'.repeat(1_010))).sentence, /too long for S3/);
    assert.ok(!gateway.asked.some(({ method }) => method === 'PUT'));
  });

  it('says what keeps the instance from S3', async () => {
    leave(gpu.home, JOB, { a: 'a' });
    // what answers here, and is nothing there
    const elsewhere = { ...credentialsOf(all), endpoint: 'http://127.0.0.1:9' };
    const outcome = await upload('far', {
      credentials: elsewhere,
      fetch: async () => new Response('<ListBucketResult></ListBucketResult>'),
    });
    assert.match(
      failureOf(outcome).sentence,
      /The instance cannot reach the S3 server: \(7\) Failed to connect/,
    );
  });

  it('ends with its signal, and throws its parts away', async () => {
    leave(gpu.home, JOB, { 'large.pth': randomBytes(6 * MIB) });
    const abort = new AbortController();
    gateway.intercept = ({ method }) => {
      if (method === 'PUT') abort.abort();
      return undefined;
    };
    assert.equal((await upload('cancelled', { signal: abort.signal, partBytes: 5 * MIB })).kind, 'cancelled');
    assert.ok(!(await openUploads()).includes('<UploadId>'));
    assert.deepEqual(await keysBelow('cancelled/'), []);
  });
});

describe('a download of results from an instance', () => {
  for (const route of ['exec', 'ssh'] as const) {
    it(`by ${route} is what the job left, and is not repeated`, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'brev-results-'));
      try {
        const model = randomBytes(5_000_000);
        const left = leave(gpu.home, JOB, { 'train/model "1".pth': model, "it's\na": 'x', empty: '' });
        symlinkSync('/results/train/model "1".pth', path.join(left, 'train/latest.pth'));
        let moved = 0;
        const download = () =>
          downloadResults({
            jobId: JOB,
            list: listBy(route),
            folder,
            onProgress: ({ step, doneBytes }) => {
              moved = step === 'transferring' ? doneBytes : moved;
            },
            signal: new AbortController().signal,
          });
        assert.equal(value(await download()).files, 3);
        assert.equal(moved, model.length + 1);
        assert.ok(readFileSync(path.join(folder, JOB, 'train/latest.pth')).equals(model));
        assert.equal(readFileSync(path.join(folder, JOB, "it's\na"), 'utf8'), 'x');
        const before = cloud.runs.length;
        assert.equal(value(await download()).files, 3);
        // two lists and the sums; the route may look at the instance before each
        const transfers = cloud.runs.slice(before).filter(({ options }) => options.onStdout !== undefined);
        assert.deepEqual(transfers, []);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
});
