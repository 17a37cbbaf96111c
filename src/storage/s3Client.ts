import { createHash } from 'node:crypto';
import { presignPut } from './presign.ts';
import { DEFAULT_REGION, encodeS3Key, isRegion, type S3Server, s3Server, s3Url } from './s3Address.ts';

/** Keys for S3 and where it is, as the job has them. */
export interface S3Credentials {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
}

/** What a server said; only its code is kept of an error, since the text repeats keys and signatures. */
export interface S3Reply {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** S3's own word for an error, such as NoSuchBucket; empty where the answer has none. */
  readonly code: string;
}

/** Why there is no answer. */
export type S3Silence =
  /** Nobody answers there; `code` is the system's own, such as ECONNREFUSED. */
  | { readonly kind: 'unreachable'; readonly code: string }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'cancelled' }
  /** The access key, secret or session token can't be ones: blank, or with blanks or line ends within. */
  | { readonly kind: 'keysUnusable' }
  | { readonly kind: 'endpointInvalid' }
  | { readonly kind: 'regionInvalid' };

export interface S3Options {
  readonly signal: AbortSignal;
  readonly fetch: typeof globalThis.fetch;
  readonly requestTimeoutMs: number;
}

interface S3Request {
  readonly method: 'HEAD' | 'GET' | 'POST' | 'DELETE';
  readonly bucket: string;
  /** Undefined for the bucket itself. */
  readonly key?: string;
  readonly query: string;
  readonly content?: string;
}

/** An answer about one key has some hundred bytes; what answers more is no S3 server. */
const MAX_BODY_BYTES = 64 * 1024;
/** Printable ASCII: anything else can't stand in a header, and the error about it would repeat the key. */
const KEY_SHAPE = /^[!-~]+$/;

/**
 * Signed requests to one S3 server. Signing is aws4fetch's: 8 KB and alive, where AWS's own client has 592 KB (tao.md
 * part 5); sending, redirects and time limits are here, since its own retries hold no limit.
 */
export class S3Client {
  readonly #credentials: S3Credentials;
  readonly #options: S3Options;
  readonly #server: S3Server;
  #region: string;
  #learntRegion = '';

  constructor(credentials: S3Credentials, options: S3Options) {
    this.#credentials = credentials;
    this.#options = options;
    this.#server = s3Server(credentials.endpoint);
    this.#region = credentials.region?.trim() || DEFAULT_REGION;
  }

  /** The region that an answer named for the bucket; empty while none has. */
  get learntRegion(): string {
    return this.#learntRegion;
  }

  head(bucket: string, key: string): Promise<S3Reply | S3Silence> {
    return this.#sendToItsRegion({ method: 'HEAD', bucket, key, query: '' });
  }

  /** The first object whose key begins with the prefix. */
  listOne(bucket: string, prefix: string): Promise<S3Reply | S3Silence> {
    const query = `?encoding-type=url&list-type=2&max-keys=1&prefix=${encodeS3Key(prefix).replaceAll('/', '%2F')}`;
    return this.#sendToItsRegion({ method: 'GET', bucket, query });
  }

  /** A call about one object that isn't reading it, such as those of an upload in parts. */
  call(
    method: 'POST' | 'DELETE',
    bucket: string,
    key: string,
    query: string,
    content = '',
  ): Promise<S3Reply | S3Silence> {
    return this.#sendToItsRegion({ method, bucket, key, query, content });
  }

  /**
   * A URL that lets whoever has it put this one object for so long, without a key. Its region is the one known now: ask
   * the bucket something before.
   */
  async presignedPut(
    bucket: string,
    key: string,
    query: string,
    seconds: number,
  ): Promise<{ readonly kind: 'url'; readonly url: string } | S3Silence> {
    if (this.#server.kind === 'invalid') {
      return { kind: 'endpointInvalid' };
    }
    const problem = this.#unusable();
    if (problem !== undefined) {
      return problem;
    }
    const url = s3Url(this.#server, this.#region, bucket, key) + query;
    return { kind: 'url', url: await presignPut(url, this.#region, this.#credentials, seconds) };
  }

  /** A bucket in another region answers with the region's name, in one of several ways; then it is asked once more. */
  async #sendToItsRegion(request: S3Request): Promise<S3Reply | S3Silence> {
    const reply = await this.#send(request);
    const region = reply.kind === 'reply' ? regionIn(reply) : undefined;
    if (region === undefined || region === this.#region) {
      return reply;
    }
    this.#region = region;
    this.#learntRegion = region;
    return this.#send(request);
  }

  #unusable(): S3Silence | undefined {
    const { accessKey, secretKey, sessionToken } = this.#credentials;
    if (!isRegion(this.#region)) {
      return { kind: 'regionInvalid' };
    }
    return [accessKey, secretKey, sessionToken ?? '-'].every((text) => KEY_SHAPE.test(text))
      ? undefined
      : { kind: 'keysUnusable' };
  }

  async #send({ method, bucket, key, query, content = '' }: S3Request): Promise<S3Reply | S3Silence> {
    const { accessKey, secretKey, sessionToken } = this.#credentials;
    const { signal, requestTimeoutMs } = this.#options;
    if (this.#server.kind === 'invalid') {
      return { kind: 'endpointInvalid' };
    }
    const problem = this.#unusable();
    if (problem !== undefined) {
      return problem;
    }
    const { AwsV4Signer } = await import('aws4fetch');
    const { url, headers } = await new AwsV4Signer({
      method,
      url: s3Url(this.#server, this.#region, bucket, key) + query,
      headers: { 'X-Amz-Content-Sha256': createHash('sha256').update(content).digest('hex') },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region: this.#region,
    }).sign();
    const limit = AbortSignal.timeout(requestTimeoutMs);
    try {
      const response = await this.#options.fetch(url, {
        method,
        headers,
        ...(content === '' ? {} : { body: content }),
        // a signature is good for one host: it isn't carried elsewhere
        redirect: 'manual',
        signal: AbortSignal.any([signal, limit]),
      });
      const body = await readStart(response);
      const [, code = ''] = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(body) ?? [];
      return { kind: 'reply', status: response.status, headers: response.headers, body, code };
    } catch (error) {
      if (signal.aborted) {
        return { kind: 'cancelled' };
      }
      const cause = systemCode(error);
      return limit.aborted || /TIMEDOUT|TIMEOUT/.test(cause)
        ? { kind: 'timedOut' }
        : { kind: 'unreachable', code: cause };
    }
  }
}

function regionIn(reply: S3Reply): string | undefined {
  if (![301, 307, 400].includes(reply.status)) {
    return undefined;
  }
  const named =
    reply.headers.get('x-amz-bucket-region') ??
    (reply.code === 'AuthorizationHeaderMalformed' ? /<Region>([^<]*)</.exec(reply.body)?.[1] : undefined);
  return named !== undefined && isRegion(named) ? named : undefined;
}

async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // leaving the loop early closes the connection
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) {
      break;
    }
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_BODY_BYTES);
}

/** The code at the bottom of a failed fetch. The message isn't used: it may hold headers. */
function systemCode(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? at.code : undefined;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code)) {
      return code;
    }
  }
  return '';
}
