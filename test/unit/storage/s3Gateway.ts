// moto answers 500 to a presigned URL once it checks signatures. This stands before it and checks those itself, by AWS's
// description of signature version 4; what is right goes on, signed as moto knows it, so that policies count.
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { AwsV4Signer } from 'aws4fetch';
import type { Moto, MotoKeys } from '../../support/moto.ts';

/** One request as it came. */
export interface S3Asked {
  readonly method: string;
  readonly url: URL;
  readonly presigned: boolean;
}

export interface S3Gateway {
  readonly endpoint: string;
  readonly asked: S3Asked[];
  /** Answers instead of the server, or lets it (undefined). */
  intercept: (
    asked: S3Asked,
  ) => { readonly status: number; readonly headers?: Record<string, string> } | undefined;
  stop(): Promise<void>;
}

export async function startS3Gateway(moto: Moto, keys: readonly MotoKeys[]): Promise<S3Gateway> {
  const server = createServer((incoming, response) => {
    void serve(incoming, response);
  });
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const url = new URL(incoming.url ?? '/', gateway.endpoint);
    const method = incoming.method ?? 'GET';
    const presigned = url.searchParams.has('X-Amz-Signature');
    const one = { method, url, presigned };
    gateway.asked.push(one);
    const answer = gateway.intercept(one);
    if (answer !== undefined) {
      response.writeHead(answer.status, answer.headers).end();
      return;
    }
    const { 'content-md5': digest } = incoming.headers;
    const body = Buffer.concat(chunks);
    if (typeof digest === 'string' && digest !== createHash('md5').update(body).digest('base64')) {
      response.writeHead(400).end('<Error><Code>BadDigest</Code></Error>');
      return;
    }
    let headers = incoming.headers;
    if (presigned) {
      const user = keys.find(
        ({ accessKey }) => url.searchParams.get('X-Amz-Credential')?.startsWith(`${accessKey}/`) === true,
      );
      if (
        user === undefined ||
        presignedSignature(url, user.secretKey, method) !== url.searchParams.get('X-Amz-Signature')
      ) {
        response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
        return;
      }
      if (expiryOf(url) < Date.now()) {
        response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
        return;
      }
      headers = await signedAnew(url, method, user);
    }
    const onward = request(
      moto.endpoint + url.pathname + url.search,
      { method, headers: { ...headers, host: url.host, 'content-length': body.length } },
      (reply) => {
        response.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(response);
      },
    );
    onward.end(body);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const gateway: S3Gateway = {
    endpoint: `http://127.0.0.1:${address.port}`,
    asked: [],
    intercept: () => undefined,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gateway;
}

/** Takes the presigning off the URL, and tells the headers that do the same. */
async function signedAnew(url: URL, method: string, user: MotoKeys): Promise<Record<string, string>> {
  for (const name of [...url.searchParams.keys()])
    if (name.startsWith('X-Amz-')) url.searchParams.delete(name);
  const { headers } = await new AwsV4Signer({
    url: url.toString(),
    method,
    headers: { 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
    accessKeyId: user.accessKey,
    secretAccessKey: user.secretKey,
    service: 's3',
    region: 'us-east-1',
  }).sign();
  return Object.fromEntries(headers);
}

/** The signature that a presigned URL should have. */
export function presignedSignature(url: URL, secretKey: string, method: string): string {
  const value = (name: string): string => url.searchParams.get(name) ?? '';
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, text]) => `${encode(name)}=${encode(text)}`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join('&');
  const canonical = [method, url.pathname, query, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join(
    '\n',
  );
  const scope = value('X-Amz-Credential').split('/').slice(1);
  const text = [
    'AWS4-HMAC-SHA256',
    value('X-Amz-Date'),
    scope.join('/'),
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  let key: string | Buffer = `AWS4${secretKey}`;
  for (const part of scope) key = createHmac('sha256', key).update(part).digest();
  return createHmac('sha256', key).update(text).digest('hex');
}

function expiryOf(url: URL): number {
  const date = url.searchParams.get('X-Amz-Date') ?? '';
  const time = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  return Date.parse(time) + Number(url.searchParams.get('X-Amz-Expires')) * 1_000;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
