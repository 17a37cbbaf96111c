import { S3Client, type S3Credentials, type S3Reply, type S3Silence } from './s3Client.ts';
import type { S3Path } from './s3Path.ts';

export type { S3Credentials } from './s3Client.ts';

/** What keeps a path in S3 from being read. */
export type S3Trouble =
  | S3Silence
  | { readonly kind: 'bucketMissing' }
  | { readonly kind: 'accessDenied' }
  | { readonly kind: 'keyUnknown' }
  | { readonly kind: 'signatureWrong' }
  | { readonly kind: 'sessionExpired' }
  /** This computer's clock is too far off for a signature to count. */
  | { readonly kind: 'clockWrong' }
  /** The bucket is in another region than the endpoint serves; empty where it isn't told which. */
  | { readonly kind: 'otherRegion'; readonly region: string }
  /** The server has trouble, or too much to do. */
  | { readonly kind: 'serverTrouble'; readonly status: number }
  /** What answers is no S3 server, or speaks in a way that isn't known. */
  | { readonly kind: 'unexpected'; readonly status: number; readonly code: string };

/** What is at exactly this path, as far as these keys may see. */
export type S3Outcome =
  | { readonly kind: 'object' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'missing' }
  /** It is there, but in a storage class that must be restored before it can be read. */
  | { readonly kind: 'archived' }
  | S3Trouble;

export type S3BucketOutcome = { readonly kind: 'reachable' } | S3Trouble;

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Whether exactly this path can be read: an object of this key, else a folder of this name with something readable in
 * it. A prefix never passes for another path: `data` is `data` or `data/…`, not `data2`. A final slash means a folder.
 */
export async function checkS3Path(
  path: S3Path,
  credentials: S3Credentials,
  signal: AbortSignal,
  fetch = globalThis.fetch,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
): Promise<S3Outcome> {
  const client = new S3Client(credentials, { signal, fetch, requestTimeoutMs });
  const isFolder = path.key.endsWith('/');
  let head = isFolder ? undefined : await client.head(path.bucket, path.key);
  if (head !== undefined && head.kind !== 'reply') {
    return head;
  }
  if (head !== undefined && isObject(head)) {
    return isArchived(head) ? { kind: 'archived' } : { kind: 'object' };
  }
  const regionBefore = client.learntRegion;
  // the answer to a HEAD has no words: the list says why, too
  const list = await client.listOne(path.bucket, isFolder ? path.key : `${path.key}/`);
  if (list.kind !== 'reply') {
    return list;
  }
  if (head !== undefined && client.learntRegion !== regionBefore) {
    // some servers tell their region only to a GET, so the HEAD may have been refused for its signature
    head = await client.head(path.bucket, path.key);
    if (head.kind !== 'reply') {
      return head;
    }
    if (isObject(head)) {
      return isArchived(head) ? { kind: 'archived' } : { kind: 'object' };
    }
  }
  if (!isList(list)) {
    return troubleOf(list, client.learntRegion);
  }
  const first = firstKey(list.body);
  if (first !== undefined) {
    return first.startsWith(isFolder ? path.key : `${path.key}/`)
      ? readable(await client.head(path.bucket, first), client.learntRegion)
      : { kind: 'unexpected', status: list.status, code: '' };
  }
  switch (head?.status) {
    case undefined:
    case 404:
      return { kind: 'missing' };
    default:
      return troubleOf(head ?? list, client.learntRegion);
  }
}

/** Whether the bucket of a path for results answers these keys. Nothing is written, so it doesn't prove that one may. */
export async function checkS3Bucket(
  path: S3Path,
  credentials: S3Credentials,
  signal: AbortSignal,
  fetch = globalThis.fetch,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
): Promise<S3BucketOutcome> {
  const client = new S3Client(credentials, { signal, fetch, requestTimeoutMs });
  const list = await client.listOne(path.bucket, path.key);
  if (list.kind !== 'reply') {
    return list;
  }
  return isList(list) ? { kind: 'reachable' } : troubleOf(list, client.learntRegion);
}

/** A folder counts when its first object can be read: who may list may not always read. */
function readable(head: S3Reply | S3Silence, region: string): S3Outcome {
  if (head.kind !== 'reply') {
    return head;
  }
  if (isArchived(head)) {
    return { kind: 'archived' };
  }
  // deleted since it was listed: the folder was there
  return isObject(head) || head.status === 404 ? { kind: 'folder' } : troubleOf(head, region);
}

/** Any web server says 200 to a HEAD; an object has an entity tag. */
function isObject(reply: S3Reply): boolean {
  return reply.status === 200 && reply.headers.has('etag');
}

function isArchived(reply: S3Reply): boolean {
  const storage = reply.headers.get('x-amz-storage-class') ?? '';
  const restored = /ongoing-request="false"/.test(reply.headers.get('x-amz-restore') ?? '');
  return (
    ((storage === 'GLACIER' || storage === 'DEEP_ARCHIVE') && !restored) ||
    reply.headers.has('x-amz-archive-status')
  );
}

function isList(reply: S3Reply): boolean {
  return reply.status === 200 && reply.body.includes('<ListBucketResult');
}

function firstKey(body: string): string | undefined {
  const text = /<Key>([^<]*)<\/Key>/.exec(body)?.[1];
  if (text === undefined || !/<EncodingType>url</.test(body)) {
    return text === undefined ? undefined : unescapeXml(text);
  }
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) {
      return '';
    }
    throw error;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&amp;': '&',
};

function unescapeXml(text: string): string {
  return text.replace(/&(?:lt|gt|quot|apos|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** What an answer that isn't the hoped one means. */
export function troubleOf(reply: S3Reply, region: string): S3Trouble {
  switch (reply.code) {
    case 'NoSuchBucket':
    case 'InvalidBucketName':
      return { kind: 'bucketMissing' };
    case 'InvalidAccessKeyId':
      return { kind: 'keyUnknown' };
    case 'SignatureDoesNotMatch':
      return { kind: 'signatureWrong' };
    case 'ExpiredToken':
    case 'InvalidToken':
    case 'TokenRefreshRequired':
      return { kind: 'sessionExpired' };
    case 'RequestTimeTooSkewed':
      return { kind: 'clockWrong' };
    case 'AccessDenied':
    case 'AllAccessDisabled':
    case 'AccountProblem':
      return { kind: 'accessDenied' };
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'TemporaryRedirect':
      return { kind: 'otherRegion', region };
  }
  if (reply.status >= 500 || reply.status === 429 || reply.code === 'SlowDown') {
    return { kind: 'serverTrouble', status: reply.status };
  }
  // only a HEAD has no body: its 403 came while the same keys could list
  return reply.status === 403 && reply.body === ''
    ? { kind: 'accessDenied' }
    : { kind: 'unexpected', status: reply.status, code: reply.code };
}
