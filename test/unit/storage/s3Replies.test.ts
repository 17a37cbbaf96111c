// What a real server at hand can't be made to answer: other regions, other servers, silence.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkS3Path, type S3Credentials, type S3Outcome } from '../../../src/storage/s3.ts';

const never = new AbortController().signal;
const keys: S3Credentials = { accessKey: 'AKIAEXAMPLE', secretKey: 'wJalrSECRET/KEY' };
const path = { bucket: 'bkt', key: 'data/a.csv' };

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly authorization: string;
}

/** Answers by a function, and writes down what was asked. */
function server(answer: (asked: Asked) => Response | Error): { fetch: typeof fetch; asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const one = {
        method: init?.method ?? 'GET',
        url,
        authorization: new Headers(init?.headers).get('authorization') ?? '',
      };
      asked.push(one);
      assert.equal(init?.redirect, 'manual');
      const reply = answer(one);
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
}

const error = (status: number, code: string, more = '', headers: Record<string, string> = {}): Response =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code>${more}</Error>`, { status, headers });
const object = (): Response => new Response(null, { status: 200, headers: { etag: '"x"' } });
const list = (...found: readonly string[]): Response =>
  new Response(
    `<ListBucketResult><EncodingType>url</EncodingType>${found.map((key) => `<Key>${key}</Key>`).join('')}</ListBucketResult>`,
  );
const notFound = (): Response => new Response(null, { status: 404 });

const check = (fetch: typeof globalThis.fetch, more: Partial<S3Credentials> = {}): Promise<S3Outcome> =>
  checkS3Path(path, { ...keys, ...more }, never, fetch);

describe('another region', () => {
  it('is asked where AWS says that the bucket is', async () => {
    const { fetch, asked } = server(({ url }) =>
      url.host === 'bkt.s3.eu-west-1.amazonaws.com'
        ? object()
        : new Response(null, { status: 301, headers: { 'x-amz-bucket-region': 'eu-west-1' } }),
    );
    assert.deepEqual(await check(fetch), { kind: 'object' });
    assert.deepEqual(
      asked.map(({ url }) => url.host),
      ['bkt.s3.us-east-1.amazonaws.com', 'bkt.s3.eu-west-1.amazonaws.com'],
    );
    assert.match(asked[1]?.authorization ?? '', /\/eu-west-1\/s3\/aws4_request/);
  });

  it('is learnt from the list where a HEAD does not tell', async () => {
    const { fetch, asked } = server(({ method, authorization }) => {
      if (authorization.includes('/eu-1/')) return method === 'HEAD' ? object() : list();
      return method === 'HEAD'
        ? new Response(null, { status: 400 })
        : error(400, 'AuthorizationHeaderMalformed', '<Region>eu-1</Region>');
    });
    assert.deepEqual(await check(fetch, { endpoint: 'https://minio' }), { kind: 'object' });
    assert.deepEqual(
      asked.map(({ method }) => method),
      ['HEAD', 'GET', 'GET', 'HEAD'],
    );
  });

  it('is told when the endpoint cannot serve it, and never followed elsewhere', async () => {
    const { fetch, asked } = server(({ method }) =>
      method === 'HEAD'
        ? new Response(null, { status: 301, headers: { 'x-amz-bucket-region': 'eu-west-1' } })
        : error(301, 'PermanentRedirect', '', {
            location: 'https://evil/',
            'x-amz-bucket-region': 'eu-west-1',
          }),
    );
    const outcome = await check(fetch, { endpoint: 'https://s3.us-east-1.amazonaws.com' });
    assert.deepEqual(outcome, { kind: 'otherRegion', region: 'eu-west-1' });
    assert.ok(asked.every(({ url }) => url.host === 's3.us-east-1.amazonaws.com'));
  });

  it('is not a host that somebody made up', async () => {
    const { fetch, asked } = server(() =>
      error(301, 'PermanentRedirect', '', { 'x-amz-bucket-region': 'x.evil.com/' }),
    );
    assert.deepEqual(await check(fetch), { kind: 'otherRegion', region: '' });
    assert.ok(asked.every(({ url }) => url.host.endsWith('.amazonaws.com')));
    const none = server(object);
    assert.equal((await check(none.fetch, { region: 'evil.com/' })).kind, 'regionInvalid');
    assert.deepEqual(none.asked, []);
  });
});

describe('answers', () => {
  const afterHead = async (reply: Response): Promise<S3Outcome> =>
    check(server(({ method }) => (method === 'HEAD' ? new Response(null, { status: 400 }) : reply)).fetch);

  it('are told apart by their codes', async () => {
    assert.equal((await afterHead(error(400, 'ExpiredToken'))).kind, 'sessionExpired');
    assert.equal((await afterHead(error(403, 'RequestTimeTooSkewed'))).kind, 'clockWrong');
    assert.equal((await afterHead(error(403, 'AccessDenied'))).kind, 'accessDenied');
    assert.deepEqual(await afterHead(error(503, 'SlowDown')), { kind: 'serverTrouble', status: 503 });
    assert.deepEqual(await afterHead(error(418, 'Odd')), { kind: 'unexpected', status: 418, code: 'Odd' });
  });

  it('of another web server do not pass for S3', async () => {
    const page = (): Response => new Response('<html>Welcome</html>', { status: 200 });
    assert.equal((await check(server(page).fetch)).kind, 'unexpected');
    const proxy = (): Response => new Response('<html>Forbidden</html>', { status: 403 });
    assert.equal((await check(server(proxy).fetch)).kind, 'unexpected');
  });

  it('that ignore the prefix do not pass for the folder', async () => {
    const { fetch } = server(({ method }) => (method === 'HEAD' ? notFound() : list('data/a.csv2/x')));
    assert.equal((await check(fetch)).kind, 'unexpected');
  });

  it('without an end are not read to their end', async () => {
    const endless = (): Response =>
      new Response(
        new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(32)) }),
      );
    const { fetch } = server(({ method }) => (method === 'HEAD' ? notFound() : endless()));
    assert.equal((await check(fetch)).kind, 'unexpected');
  });
});

describe('silence', () => {
  const failing = (code: string): Error =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(`secret ${keys.secretKey}`), { code }) });

  it('is told by the code of the system, never by its words', async () => {
    assert.deepEqual(await check(server(() => failing('ENOTFOUND')).fetch), {
      kind: 'unreachable',
      code: 'ENOTFOUND',
    });
    assert.deepEqual(await check(server(() => new TypeError(`bad ${keys.secretKey}`)).fetch), {
      kind: 'unreachable',
      code: '',
    });
    assert.deepEqual(await check(server(() => failing('UND_ERR_CONNECT_TIMEOUT')).fetch), {
      kind: 'timedOut',
    });
  });

  it('ends at the time limit of a request, while the body comes too', async () => {
    const silent: typeof fetch = (_input, init) =>
      new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
      );
    assert.deepEqual(await checkS3Path(path, keys, never, silent, 1), { kind: 'timedOut' });
    const begun: typeof fetch = async (_input, init) =>
      new Response(
        new ReadableStream({
          start: (controller) =>
            init?.signal?.addEventListener('abort', () =>
              controller.error(new DOMException('', 'AbortError')),
            ),
        }),
      );
    assert.deepEqual(await checkS3Path(path, keys, never, begun, 1), { kind: 'timedOut' });
  });

  it('ends when the user cancels', async () => {
    const stop = new AbortController();
    const silent: typeof fetch = (_input, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
        stop.abort();
      });
    assert.deepEqual(await checkS3Path(path, keys, stop.signal, silent), { kind: 'cancelled' });
  });
});

it('signs with the session token, and asks nobody at an endpoint that is none', async () => {
  const { fetch, asked } = server(object);
  await check(fetch, { sessionToken: 'TEMPORARY' });
  assert.match(asked[0]?.authorization ?? '', /x-amz-security-token/);
  const none = server(object);
  assert.deepEqual(await check(none.fetch, { endpoint: 'minio:9000' }), { kind: 'endpointInvalid' });
  assert.deepEqual(none.asked, []);
});
