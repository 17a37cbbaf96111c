/** A place in S3, exactly as it was written: the key is neither decoded nor trimmed. */
export interface S3Path {
  readonly bucket: string;
  /** Empty only for a whole bucket. */
  readonly key: string;
}

/** Why a text is no S3 path that could be asked for. */
export type S3PathProblem = 'notS3' | 'noBucket' | 'bucketName' | 'noKey' | 'key';

export type S3PathReading =
  | { readonly kind: 'path'; readonly path: S3Path }
  | { readonly kind: 'problem'; readonly problem: S3PathProblem };

const SCHEME = 's3://';
/** Looser than AWS's own rule for the sake of other servers and old buckets; nothing that has a meaning in a URL. */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/;
const MAX_KEY_BYTES = 1024;

/**
 * Reads `s3://bucket/key`. An empty bucket or key is refused: it would list all buckets, or match all that is in one
 * (tao.md part 5). `wholeBucket` lets the key be empty, for results.
 */
export function parseS3Path(text: string, options: { readonly wholeBucket?: boolean } = {}): S3PathReading {
  if (!text.startsWith(SCHEME)) {
    return { kind: 'problem', problem: 'notS3' };
  }
  const rest = text.slice(SCHEME.length);
  const slash = rest.indexOf('/');
  const bucket = slash < 0 ? rest : rest.slice(0, slash);
  const key = slash < 0 ? '' : rest.slice(slash + 1);
  if (bucket === '') {
    return { kind: 'problem', problem: 'noBucket' };
  }
  if (!BUCKET.test(bucket)) {
    return { kind: 'problem', problem: 'bucketName' };
  }
  if (key === '' && options.wholeBucket !== true) {
    return { kind: 'problem', problem: 'noKey' };
  }
  return isAskable(key) ? { kind: 'path', path: { bucket, key } } : { kind: 'problem', problem: 'key' };
}

/** A URL can't carry `.` and `..` as names (its parser resolves them, encoded or not), nor half a character. */
function isAskable(key: string): boolean {
  return (
    key.isWellFormed() &&
    Buffer.byteLength(key) <= MAX_KEY_BYTES &&
    !key.split('/').some((name) => name === '.' || name === '..')
  );
}
