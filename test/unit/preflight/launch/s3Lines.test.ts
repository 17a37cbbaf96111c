// The lines about S3, with a server that answers at once; test/unit/storage asks a real one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runLaunchChecks } from '../../../../src/preflight/launch/runLaunchChecks.ts';
import { type Given, launch, lineOf, linesOf } from './support/launch.ts';

const keys = {
  ACCESS_KEY: 'AKIAEXAMPLE',
  SECRET_KEY: 'wJalrSECRETKEY',
  S3_ENDPOINT_URL: 'https://s3.test/at',
};

/** A server with these objects (bucket and key), which counts what it is asked. */
function store(...objects: readonly string[]): { readonly fetch: typeof fetch; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const name = decodeURIComponent(url.pathname).replace('/at/', '');
      asked.push(name);
      if (init?.method === 'HEAD') {
        return objects.includes(name)
          ? new Response(null, { headers: { etag: '"x"' } })
          : new Response(null, { status: 404 });
      }
      const prefix = `${name}/${url.searchParams.get('prefix')}`;
      const found = objects.filter((object) => object.startsWith(prefix));
      const contents = found.map((object) => `<Key>${object.slice(name.length + 1)}</Key>`).join('');
      return objects.some((object) => object.startsWith(`${name}/`))
        ? new Response(`<ListBucketResult>${contents}</ListBucketResult>`)
        : error(404, 'NoSuchBucket');
    },
  };
}

function error(status: number, code: string): Response {
  return new Response(`<Error><Code>${code}</Code><Message>${keys.SECRET_KEY}</Message></Error>`, { status });
}

/** A server that answers everything with this error, in the list's answer as S3 does. */
const refusing =
  (status: number, code: string): typeof fetch =>
  async (_input, init) =>
    init?.method === 'HEAD' ? new Response(null, { status }) : error(status, code);

describe('the S3 keys', () => {
  it('are looked for only where the spec has s3:// paths', async () => {
    assert.equal(await lineOf('s3Keys', { spec: 'a: /data/x' }), undefined);
    assert.match(
      (await lineOf('s3Keys', { spec: 'a: s3://b1b/x', keys, fetch: store().fetch })) ?? '',
      /^passed/,
    );
  });

  it('are refused when missing, and then nobody is asked', async () => {
    const spec = 'a: s3://bkt/x\nresults_dir: s3://bkt/r';
    const lines = await linesOf({ spec });
    assert.match(lines.s3Keys ?? '', /^failed: ACCESS_KEY and SECRET_KEY .*\[enter ACCESS_KEY\]$/);
    assert.match(lines['s3Input:s3://bkt/x'] ?? '', /^skipped/);
    assert.match(lines['s3Output:s3://bkt/r'] ?? '', /^skipped/);
    const half = await lineOf('s3Keys', { spec, keys: { ACCESS_KEY: 'x' } });
    assert.match(half ?? '', /^failed: SECRET_KEY is not set.*\[enter SECRET_KEY\]$/);
  });

  it('from two places are a warning', async () => {
    const { credentials, ...others } = launch({ spec: 'a: s3://bkt/x', keys, fetch: store('bkt/x').fetch });
    const mixed = new Map([...credentials, ['ACCESS_KEY', { value: 'x', source: 'environment' as const }]]);
    const outcome = await runLaunchChecks({ ...others, credentials: mixed }, new AbortController().signal);
    assert.equal(outcome.kind, 'ok');
    const states = outcome.kind === 'ok' ? outcome.value.map(({ id, state }) => `${id} ${state}`) : [];
    assert.ok(states.includes('s3Keys warning'), states.join());
  });
});

describe('an input in S3', () => {
  const { fetch } = store('bkt/data/a.csv', 'bkt/file.csv');

  it('passes as an object or a folder of exactly that name', async () => {
    const lines = await linesOf({ spec: 'a: s3://bkt/file.csv\nb: s3://bkt/data', keys, fetch });
    assert.match(lines['s3Input:s3://bkt/file.csv'] ?? '', /^passed: There/);
    assert.match(lines['s3Input:s3://bkt/data'] ?? '', /^passed: A folder/);
  });

  it('is refused when nothing is there, with its line', async () => {
    const line = await lineOf('s3Input:s3://bkt/dat', { spec: 'a: 1\nb: s3://bkt/dat', keys, fetch });
    assert.match(line ?? '', /^failed: Nothing is at exactly this path in bkt.*\[line 2\]$/);
    const bucket = await lineOf('s3Input:s3://other/x', { spec: 'b: s3://other/x', keys, fetch });
    assert.match(bucket ?? '', /^failed: There is no bucket other/);
  });

  it('is only a warning where this action does not seem to read it', async () => {
    const spec = 'evaluate:\n  checkpoint: s3://bkt/none';
    assert.match((await lineOf('s3Input:s3://bkt/none', { spec, keys, fetch })) ?? '', /^warning: Nothing/);
  });

  it('is refused when it is no path, without asking', async () => {
    const { asked, fetch: counting } = store('bkt/x');
    for (const path of [
      's3://',
      's3:///x',
      's3://bkt',
      's3://bkt/',
      's3://b/x',
      's3://bkt/../x',
      'S3://bkt/x',
    ]) {
      const line = await lineOf(`s3Input:${path}`, { spec: `a: ${path}`, keys, fetch: counting });
      assert.match(line ?? '', /^failed: .*\[line 1\]$/, path);
    }
    assert.deepEqual(asked, []);
  });

  it('that is a pattern is looked for by its folder', async () => {
    const spec = 'a: s3://bkt/data/*.csv\nb: s3://bkt/*.csv\nc: s3://bkt/none/{0..9}.tar';
    const lines = await linesOf({ spec, keys, fetch });
    assert.match(lines['s3Input:s3://bkt/data/*.csv'] ?? '', /^passed: The folder of the pattern/);
    assert.match(lines['s3Input:s3://bkt/*.csv'] ?? '', /^passed: The folder of the pattern/);
    assert.match(lines['s3Input:s3://bkt/none/{0..9}.tar'] ?? '', /^failed: Nothing/);
  });

  it('beyond the twentieth is told in one line, as bad as the worst', async () => {
    const spec = Array.from({ length: 30 }, (_, index) => `k${index}: s3://bkt/data/${index}.csv`).join('\n');
    const names = Array.from({ length: 29 }, (_, index) => `bkt/data/${index}.csv`);
    const lines = await linesOf({ spec, keys, fetch: store(...names).fetch });
    assert.equal(Object.keys(lines).filter((id) => id.startsWith('s3Input:')).length, 21);
    assert.match(lines['s3Input:more'] ?? '', /^failed: 10 more, of which 1 .*29\.csv.*\[line 30\]$/);
  });

  it('beyond the two hundredth is not asked for, and that is said', async () => {
    const { asked, fetch: counting } = store(...Array.from({ length: 210 }, (_, index) => `bkt/${index}`));
    const spec = Array.from({ length: 210 }, (_, index) => `k${index}: s3://bkt/${index}`).join('\n');
    const lines = await linesOf({ spec, keys, fetch: counting });
    assert.equal(asked.length, 200);
    assert.match(lines['s3Input:unchecked'] ?? '', /^warning: 10 more were not checked/);
  });
});

describe('trouble with S3', () => {
  const cases: readonly (readonly [typeof fetch, RegExp])[] = [
    [refusing(403, 'InvalidAccessKeyId'), /does not know ACCESS_KEY.*\[enter ACCESS_KEY\]$/],
    [refusing(403, 'SignatureDoesNotMatch'), /SECRET_KEY does not belong.*\[enter SECRET_KEY\]$/],
    [refusing(403, 'AccessDenied'), /may not read it.*\[enter ACCESS_KEY\]$/],
    [refusing(400, 'ExpiredToken'), /expired/],
    [refusing(403, 'RequestTimeTooSkewed'), /clock/],
    [refusing(301, 'PermanentRedirect'), /another region.*\[enter CLOUD_REGION\]$/],
    [refusing(503, 'SlowDown'), /has trouble \(HTTP 503\)/],
    [refusing(418, 'Teapot'), /not like an S3 server \(HTTP 418 Teapot\)/],
    [
      () =>
        Promise.reject(
          new TypeError(keys.SECRET_KEY, { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) }),
        ),
      /does not answer \(ENOTFOUND\).*\[enter S3_ENDPOINT_URL\]$/,
    ],
  ];

  it('is told with what to do, and without any secret', async () => {
    for (const [fetch, words] of cases) {
      const given: Given = { spec: 'a: s3://bkt/x', keys, fetch };
      const outcome = await runLaunchChecks(launch(given), new AbortController().signal);
      const line = (await lineOf('s3Input:s3://bkt/x', given)) ?? '';
      assert.match(line, /^failed/);
      assert.match(line, words);
      for (const secret of Object.values(keys)) assert.ok(!JSON.stringify(outcome).includes(secret), line);
    }
  });

  it('that every path would have is told once', async () => {
    const spec = Array.from({ length: 15 }, (_, index) => `k${index}: s3://bkt/${index}`).join('\n');
    let asked = 0;
    const refuse = refusing(403, 'InvalidAccessKeyId');
    const lines = await linesOf({
      spec,
      keys,
      fetch: (input, init) => {
        asked++;
        return refuse(input, init);
      },
    });
    const inputs = Object.entries(lines).filter(([id]) => id.startsWith('s3Input:'));
    assert.equal(inputs.filter(([, line]) => line.startsWith('failed')).length, 1);
    assert.equal(inputs.filter(([, line]) => line.startsWith('skipped')).length, 14);
    assert.ok(asked < 2 * 15, 'those that had not begun were not asked for');
  });

  it('is told for an endpoint or a region that is none', async () => {
    const spec = 'a: s3://bkt/x';
    const endpoint = await lineOf('s3Input:s3://bkt/x', {
      spec,
      keys: { ...keys, S3_ENDPOINT_URL: 'minio:9000' },
    });
    assert.match(endpoint ?? '', /^failed: S3_ENDPOINT_URL is not a web address/);
    const region = await lineOf('s3Input:s3://bkt/x', {
      spec,
      keys: { ...keys, CLOUD_REGION: 'Europe (Ireland)' },
    });
    assert.match(region ?? '', /^failed: CLOUD_REGION is not a region/);
    const key = await lineOf('s3Input:s3://bkt/x', { spec, keys: { ...keys, ACCESS_KEY: 'a b' } });
    assert.match(key ?? '', /^failed: .*characters that no key has/);
  });
});

describe('an output in S3', () => {
  const { fetch } = store('bkt/x');

  it('needs a bucket that answers, and nothing in it', async () => {
    const lines = await linesOf({
      spec: 'results_dir: s3://bkt/new/run\nlog_dir: s3://none/logs',
      keys,
      fetch,
    });
    assert.match(lines['s3Output:s3://bkt/new/run'] ?? '', /^passed: bkt answers/);
    assert.match(lines['s3Output:s3://none/logs'] ?? '', /^failed: There is no bucket none.*\[line 2\]$/);
    assert.match(
      (await lineOf('s3Output:s3://bkt', { spec: 'results_dir: s3://bkt', keys, fetch })) ?? '',
      /^passed/,
    );
    const wrong = await lineOf('s3Output:s3://', { spec: 'results_dir: s3://', keys, fetch });
    assert.match(wrong ?? '', /^failed: The bucket is missing/);
  });

  it('is a warning for keys that may not list', async () => {
    const line = await lineOf('s3Output:s3://bkt/r', {
      spec: 'results_dir: s3://bkt/r',
      keys,
      fetch: refusing(403, 'AccessDenied'),
    });
    assert.match(line ?? '', /^warning: .*may not list bkt/);
  });
});
