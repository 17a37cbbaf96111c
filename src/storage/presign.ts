import type { S3Credentials } from './s3Client.ts';

/**
 * Signs a URL so that it alone allows one PUT to it: an instance uploads with it, without any key on it. It doesn't say
 * what may be put there, so whoever reads it could put something else until it expires: it is a secret like a key.
 */
export async function presignPut(
  url: string,
  region: string,
  { accessKey, secretKey, sessionToken }: S3Credentials,
  seconds: number,
): Promise<string> {
  const { AwsV4Signer } = await import('aws4fetch');
  const limited = new URL(url);
  limited.searchParams.set('X-Amz-Expires', String(seconds));
  const signed = await new AwsV4Signer({
    method: 'PUT',
    url: limited.toString(),
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service: 's3',
    region,
    signQuery: true,
  }).sign();
  return signed.url.toString();
}
