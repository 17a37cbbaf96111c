// A real S3 server for tests: moto from PyPI.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { cleanEnvironment } from './clean-environment.ts';
import { deferred } from './deferred.ts';
import { pythonOf } from './pythonEnvironment.ts';

const folder = path.join(import.meta.dirname, 'moto');

/** The keys of a user of the server. */
export interface MotoKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** A running S3 server on a loopback port. */
export interface Moto {
  readonly endpoint: string;
  createBucket(name: string): Promise<void>;
  /** Puts an object; the key is as in an s3:// path. */
  put(bucket: string, key: string, body?: string, headers?: Record<string, string>): Promise<void>;
  /** A new user who may do what the statements of an IAM policy say. */
  addUser(name: string, statements: readonly object[]): Promise<MotoKeys>;
  /** From now on signatures and policies count; buckets, objects and users are to be made before. */
  enforce(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server; it ends with this process. */
export async function startMoto(): Promise<Moto> {
  const python = await pythonOf('moto');
  const child = spawn(python, [path.join(folder, 'serve.py')], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: cleanEnvironment(),
  });
  const { promise: port, resolve, reject } = deferred<string>();
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  let errors = '';
  // an unread pipe would stop the server
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
  child.once('error', reject);
  child.once('close', (code) => reject(new Error(`moto ended with ${code}:\n${errors}`)));
  const endpoint = `http://127.0.0.1:${await port}`;
  return {
    endpoint,
    createBucket: async (name) => {
      await send(endpoint, 's3', 'PUT', `/${name}`);
    },
    put: async (bucket, key, body = 'x', headers = {}) => {
      await send(endpoint, 's3', 'PUT', `/${bucket}/${encodeKey(key)}`, body, headers);
    },
    addUser: (name, statements) => addUser(endpoint, name, statements),
    enforce: async () => {
      await send(endpoint, 's3', 'POST', '/moto-api/reset-auth', '0');
    },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

async function addUser(endpoint: string, name: string, statements: readonly object[]): Promise<MotoKeys> {
  const call = (action: string, more: Record<string, string> = {}): Promise<string> =>
    send(
      endpoint,
      'iam',
      'POST',
      '/',
      new URLSearchParams({ Action: action, Version: '2010-05-08', UserName: name, ...more }).toString(),
      { 'Content-Type': 'application/x-www-form-urlencoded' },
    );
  await call('CreateUser');
  await call('PutUserPolicy', {
    PolicyName: 'only',
    PolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: statements }),
  });
  const keys = await call('CreateAccessKey');
  const [, accessKey] = /<AccessKeyId>(.+?)</.exec(keys) ?? [];
  const [, secretKey] = /<SecretAccessKey>(.+?)</.exec(keys) ?? [];
  if (accessKey === undefined || secretKey === undefined) throw new Error(`No access key in ${keys}`);
  return { accessKey, secretKey: secretKey.replaceAll('&#x2F;', '/').replaceAll('&#43;', '+') };
}

async function send(
  endpoint: string,
  service: 's3' | 'iam',
  method: string,
  resource: string,
  body = '',
  headers: Record<string, string> = {},
): Promise<string> {
  const signer = new AwsV4Signer({
    url: endpoint + resource,
    method,
    headers,
    service,
    region: 'us-east-1',
    // who asks decides nothing before `enforce`; the service is read from the signature
    accessKeyId: 'setup',
    secretAccessKey: 'setup',
  });
  const signed = await signer.sign();
  const response = await fetch(signed.url, { method, headers: signed.headers, body: body || null });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${resource}: ${response.status} ${text}`);
  return text;
}

/** Everything but unreserved characters and slashes, `+` included: the signer would read it as a space. */
function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
