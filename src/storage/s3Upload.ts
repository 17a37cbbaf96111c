import { type S3BucketOutcome, type S3Trouble, troubleOf } from './s3.ts';
import { S3Client, type S3Credentials } from './s3Client.ts';
import type { S3Path } from './s3Path.ts';

/** What is at a path after it was put there. */
export type S3Stored = { readonly kind: 'object'; readonly bytes: number } | { readonly kind: 'missing' };

/** Putting some hundred parts together takes the server a while. */
const FINISH_TIMEOUT_MS = 300_000;

/**
 * Puts objects into S3 by the hands of another machine: that one gets a URL for each object or part, and has no key.
 * What needs one stays here: to open and finish an upload in parts, and to look at what has arrived.
 */
export class S3Upload {
  readonly #client: S3Client;

  constructor(
    credentials: S3Credentials,
    signal: AbortSignal,
    fetch = globalThis.fetch,
    requestTimeoutMs = FINISH_TIMEOUT_MS,
  ) {
    this.#client = new S3Client(credentials, { signal, fetch, requestTimeoutMs });
  }

  /** Whether the bucket answers these keys; to be asked first, since URLs are signed for its region. */
  async bucket({ bucket, key }: S3Path): Promise<S3BucketOutcome> {
    const list = await this.#client.listOne(bucket, key);
    if (list.kind !== 'reply') {
      return list;
    }
    return list.status === 200 && list.body.includes('<ListBucketResult')
      ? { kind: 'reachable' }
      : troubleOf(list, this.#client.learntRegion);
  }

  /** The URL for an object, or for one part of it. */
  putUrl(
    { bucket, key }: S3Path,
    seconds: number,
    part?: { readonly uploadId: string; readonly number: number },
  ): ReturnType<S3Client['presignedPut']> {
    const query =
      part === undefined ? '' : `?partNumber=${part.number}&uploadId=${encodeURIComponent(part.uploadId)}`;
    return this.#client.presignedPut(bucket, key, query, seconds);
  }

  async openParts({
    bucket,
    key,
  }: S3Path): Promise<{ readonly kind: 'opened'; readonly uploadId: string } | S3Trouble> {
    const reply = await this.#client.call('POST', bucket, key, '?uploads=');
    if (reply.kind !== 'reply') {
      return reply;
    }
    const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(reply.body)?.[1];
    return reply.status === 200 && uploadId !== undefined
      ? { kind: 'opened', uploadId }
      : troubleOf(reply, this.#client.learntRegion);
  }

  /** Makes the object of its parts, whose entity tags are given in order. */
  async finishParts(
    { bucket, key }: S3Path,
    uploadId: string,
    etags: readonly string[],
  ): Promise<{ readonly kind: 'finished' } | S3Trouble> {
    const parts = etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    );
    const reply = await this.#client.call(
      'POST',
      bucket,
      key,
      `?uploadId=${encodeURIComponent(uploadId)}`,
      `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
    );
    if (reply.kind !== 'reply') {
      return reply;
    }
    // the status is sent before the work is done: an error may follow a 200
    return reply.status === 200 && reply.body.includes('<CompleteMultipartUploadResult')
      ? { kind: 'finished' }
      : troubleOf(reply, this.#client.learntRegion);
  }

  /** Throws the parts of an unfinished upload away: the bucket's owner would pay for them. */
  async dropParts(
    { bucket, key }: S3Path,
    uploadId: string,
  ): Promise<{ readonly kind: 'dropped' } | S3Trouble> {
    const reply = await this.#client.call('DELETE', bucket, key, `?uploadId=${encodeURIComponent(uploadId)}`);
    if (reply.kind !== 'reply') {
      return reply;
    }
    return reply.status === 204 || reply.status === 404
      ? { kind: 'dropped' }
      : troubleOf(reply, this.#client.learntRegion);
  }

  /** What is at exactly this path. */
  async look({ bucket, key }: S3Path): Promise<S3Stored | S3Trouble> {
    const reply = await this.#client.head(bucket, key);
    if (reply.kind !== 'reply') {
      return reply;
    }
    const length = reply.headers.get('content-length');
    if (reply.status === 200 && reply.headers.has('etag') && length !== null && /^\d+$/.test(length)) {
      return { kind: 'object', bytes: Number(length) };
    }
    return reply.status === 404 ? { kind: 'missing' } : troubleOf(reply, this.#client.learntRegion);
  }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
