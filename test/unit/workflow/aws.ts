// As much of `aws s3 cp` as jobs use: `aws s3 cp [--recursive] [--only-show-errors] FROM TO`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AwsClient } from 'aws4fetch';

const words = process.argv
  .slice(2)
  .filter((word) => !['s3', 'cp', '--only-show-errors', '--recursive'].includes(word));
const isFolder = process.argv.includes('--recursive');
const client = new AwsClient({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
  service: 's3',
  region: 'us-east-1',
});

async function ask(method: string, place: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> {
  const response = await client.fetch(`${process.env.AWS_ENDPOINT_URL}/${place}`, {
    method,
    body: body ?? null,
  });
  if (!response.ok) throw new Error(`${method} ${place}: ${response.status} ${await response.text()}`);
  return response;
}

async function download(place: string, file: string): Promise<void> {
  const response = await ask('GET', place);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, await response.bytes());
}

async function upload(file: string, place: string): Promise<void> {
  await ask('PUT', place, new Uint8Array(readFileSync(file)));
}

async function downloadFolder(place: string, folder: string): Promise<void> {
  const [bucket = '', ...rest] = place.split('/');
  const prefix = rest.join('/');
  const list = await (await ask('GET', `${bucket}?list-type=2&prefix=${encodeURIComponent(prefix)}`)).text();
  for (const [, key = ''] of list.matchAll(/<Key>(.*?)<\/Key>/g)) {
    await download(`${bucket}/${key}`, path.join(folder, key.slice(prefix.length)));
  }
}

async function uploadFolder(folder: string, place: string): Promise<void> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) await upload(file, place + path.relative(folder, file));
  }
}

const [from = '', to = ''] = words;
const inS3 = (uri: string): string | undefined => /^s3:\/\/(.*)$/.exec(uri)?.[1];
const source = inS3(from);
const target = inS3(to);
if (source !== undefined) await (isFolder ? downloadFolder : download)(source, to);
else if (target !== undefined) await (isFolder ? uploadFolder : upload)(from, target);
else throw new Error(`neither ${from} nor ${to} is in S3`);
