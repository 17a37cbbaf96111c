/** Where an S3 server is: AWS itself, or another that speaks the same protocol. */
export type S3Server =
  | { readonly kind: 'aws' }
  | { readonly kind: 'endpoint'; readonly origin: string; readonly pathPrefix: string }
  | { readonly kind: 'invalid' };

/** What AWS takes for granted, and other servers accept. */
export const DEFAULT_REGION = 'us-east-1';

/** Whether the text can be a region; it becomes a part of a host's name. */
export function isRegion(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?$/.test(text);
}

/** Reads S3_ENDPOINT_URL; nothing or blank means AWS. */
export function s3Server(endpoint: string | undefined): S3Server {
  const text = endpoint?.trim() ?? '';
  if (text === '') {
    return { kind: 'aws' };
  }
  const url = URL.parse(text);
  if (
    url === null ||
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    return { kind: 'invalid' };
  }
  return { kind: 'endpoint', origin: url.origin, pathPrefix: url.pathname.replace(/\/+$/, '') };
}

/** The URL of an object, or of its bucket where there is no key. */
export function s3Url(
  server: Exclude<S3Server, { readonly kind: 'invalid' }>,
  region: string,
  bucket: string,
  key?: string,
): string {
  const path = key === undefined ? '' : `/${encodeS3Key(key)}`;
  if (server.kind === 'endpoint') {
    return `${server.origin}${server.pathPrefix}/${bucket}${path}`;
  }
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  // a name with dots doesn't match AWS's certificate, and one with capitals is no host
  return /^[a-z0-9-]{3,63}$/.test(bucket)
    ? `https://${bucket}.s3.${region}.${domain}${path === '' ? '/' : path}`
    : `https://s3.${region}.${domain}/${bucket}${path}`;
}

/**
 * A key as a part of a URL. Only unreserved characters and slashes stay: aws4fetch 1.0.20 reads a bare `+` in a path as
 * a space when it signs, and S3 signs `!'()*` encoded.
 */
export function encodeS3Key(key: string): string {
  return encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
