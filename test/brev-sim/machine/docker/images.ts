import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, isRecord, readJsonIfThere, writeAtomic } from '../json.ts';
import { nanoTime, nowNanoseconds } from './clock.ts';
import { DockerFailure } from './failure.ts';
import { isTaoImage, TAO_ENTRYPOINT } from './tao-image.ts';

/** An image's name in its parts; `familiar` is how docker shows it. */
export interface Reference {
  domain: string;
  path: string;
  tag: string;
  digest: string;
  familiar: string;
  /** Path and tag as shown, without the default registry. */
  repository: string;
}

/** Parses an image name as docker does. */
export function parseReference(text: string): Reference {
  const [named = '', digest = ''] = text.split('@');
  const colon = named.lastIndexOf(':');
  const tagged = colon > named.lastIndexOf('/');
  const name = tagged ? named.slice(0, colon) : named;
  const tag = tagged ? named.slice(colon + 1) : digest === '' ? 'latest' : '';
  const slash = name.indexOf('/');
  const head = slash < 0 ? '' : name.slice(0, slash);
  const hasDomain = /[.:]/.test(head) || head === 'localhost';
  const domain = hasDomain ? head : 'docker.io';
  const path = hasDomain ? name.slice(slash + 1) : slash < 0 ? `library/${name}` : name;
  if (path !== path.toLowerCase()) {
    throw new DockerFailure(`invalid reference format: repository name (${path}) must be lowercase`);
  }
  if (
    !/^[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/.test(path) ||
    ((tag !== '' || tagged) && !/^\w[\w.-]{0,127}$/.test(tag)) ||
    (digest !== '' && !/^sha256:[0-9a-f]{64}$/.test(digest))
  ) {
    throw new DockerFailure('invalid reference format');
  }
  const repository = domain === 'docker.io' ? path.replace(/^library\//, '') : `${domain}/${path}`;
  const familiar = digest === '' ? `${repository}:${tag}` : `${repository}@${digest}`;
  return { domain, path, tag, digest, familiar, repository };
}

/** An image that this machine has. */
export interface Image {
  reference: string;
  repository: string;
  tag: string;
  id: string;
  digest: string;
  size: number;
  created: string;
}

/** What an image brings along for its containers. */
export interface ImageDefaults {
  entrypoint: string[];
  cmd: string[];
  env: string[];
  workdir: string;
}

function hash(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}

/** The id, digest and size that an image always has, whoever pulls it. */
export function describeImage(reference: Reference): Image {
  const { familiar, repository, tag } = reference;
  const tao = isTaoImage(familiar);
  return {
    reference: familiar,
    repository,
    tag,
    id: `sha256:${hash(`id ${familiar}`)}`,
    digest: reference.digest === '' ? `sha256:${hash(`digest ${familiar}`)}` : reference.digest,
    size: tao ? 21_400_000_000 : 40_000_000 + (Number.parseInt(hash(familiar).slice(0, 6), 16) % 900_000_000),
    created: nanoTime(nowNanoseconds()),
  };
}

export function imageDefaults(reference: string): ImageDefaults {
  const env = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'];
  const name = reference.replace(/[:@].*$/, '').replace(/^.*\//, '');
  if (isTaoImage(reference)) {
    const gpu = ['NVIDIA_VISIBLE_DEVICES=all', 'NVIDIA_DRIVER_CAPABILITIES=compute,utility,video'];
    return { entrypoint: [TAO_ENTRYPOINT], cmd: ['/bin/bash'], env: [...env, ...gpu], workdir: '/workspace' };
  }
  if (name === 'hello-world') {
    const text =
      '\nHello from Docker!\nThis message shows that your installation appears to be working correctly.\n\n';
    return { entrypoint: [], cmd: ['printf', '%s', text], env, workdir: '' };
  }
  const shells: Record<string, string> = { alpine: '/bin/sh', busybox: 'sh', python: 'python3' };
  return { entrypoint: [], cmd: [shells[name] ?? '/bin/bash'], env, workdir: '' };
}

function imagesFolder(machine: string): string {
  return join(machine, 'docker', 'images');
}

function isImage(value: unknown): value is Image {
  return isRecord(value) && typeof value.reference === 'string' && typeof value.id === 'string';
}

export function storeImage(machine: string, image: Image): void {
  mkdirSync(imagesFolder(machine), { recursive: true });
  const file = join(imagesFolder(machine), `${encodeURIComponent(image.reference)}.json`);
  writeAtomic(file, JSON.stringify(image));
}

export function removeImage(machine: string, image: Image): void {
  rmSync(join(imagesFolder(machine), `${encodeURIComponent(image.reference)}.json`), { force: true });
}

/** Every image of this machine. */
export function listImages(machine: string): Image[] {
  let names: string[];
  try {
    names = readdirSync(imagesFolder(machine)).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
  return names.map((name) => readJsonIfThere(join(imagesFolder(machine), name))).filter(isImage);
}

/** A local image by name or id; undefined when it must be pulled. */
export function findImage(machine: string, text: string): Image | undefined {
  if (/^(sha256:)?[0-9a-f]{12,64}$/.test(text)) {
    const id = text.replace('sha256:', '');
    const byId = listImages(machine).find((image) => image.id.slice('sha256:'.length).startsWith(id));
    if (byId !== undefined) return byId;
  }
  const { familiar } = parseReference(text);
  const image = readJsonIfThere(join(imagesFolder(machine), `${encodeURIComponent(familiar)}.json`));
  return isImage(image) ? image : undefined;
}
