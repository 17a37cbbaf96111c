import { join } from 'node:path';
import { isRecord, readJsonIfThere } from '../json.ts';
import { type Credential, DOCKER_HUB, readCredential } from './credentials.ts';
import type { DockerFailure } from './failure.ts';
import { engineError } from './failure.ts';
import type { Reference } from './images.ts';

/** `registry.json`: what the registries of this machine's world hold and allow. Texts match by their start. */
interface RegistryRules {
  public: string[];
  missing: string[];
  forbidden: string[];
  /** The NGC keys that are good; when absent, every `nvapi-` key that doesn't say otherwise. */
  keys: string[] | undefined;
  pullSeconds: number | undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function readRules(machine: string): RegistryRules {
  const file = readJsonIfThere(join(machine, 'registry.json'));
  const rules = isRecord(file) ? file : {};
  return {
    public: texts(rules.public),
    missing: texts(rules.missing),
    forbidden: texts(rules.forbidden),
    keys: rules.keys === undefined ? undefined : texts(rules.keys),
    pullSeconds: typeof rules.pullSeconds === 'number' ? rules.pullSeconds : undefined,
  };
}

/** Simulated seconds that an image takes to pull. */
export function pullSeconds(machine: string, bytes: number): number {
  return readRules(machine).pullSeconds ?? 1 + bytes / 1_000_000_000;
}

/** Whether a registry takes this login. */
export function acceptsCredential(machine: string, registry: string, { user, secret }: Credential): boolean {
  if (!registry.includes('nvcr.io')) return secret !== '';
  const { keys } = readRules(machine);
  if (user !== '$oauthtoken') return false;
  if (keys !== undefined) return keys.includes(secret);
  return secret.startsWith('nvapi-') && !/wrong|stale|revoked|expired/.test(secret);
}

/** Ways in which a pull is refused by the registry. */
const REFUSALS = ['unauthorized', 'denied', 'forbidden', 'anonymous-401', 'manifest-unknown'] as const;

export type Refusal = (typeof REFUSALS)[number];

/** The refusal that a fault names, if it is one. */
export function asRefusal(text: string): Refusal | undefined {
  return REFUSALS.find((refusal) => refusal === text);
}

/** What the registry says to whoever asks for an image; undefined when it hands it out. */
export function registryRefusal(machine: string, reference: Reference): Refusal | undefined {
  const rules = readRules(machine);
  const matches = (starts: string[]): boolean => starts.some((start) => reference.familiar.startsWith(start));
  if (reference.domain === 'nvcr.io' && !matches(rules.public)) {
    const credential = readCredential(reference.domain);
    if (credential === undefined || !acceptsCredential(machine, reference.domain, credential)) {
      return 'unauthorized';
    }
    if (matches(rules.forbidden)) return 'forbidden';
  }
  return matches(rules.missing) ? 'manifest-unknown' : undefined;
}

/** The engine's text for a refusal. */
export function refusalText(
  refusal: Refusal,
  { domain, path, repository, tag, familiar }: Reference,
): DockerFailure {
  const host = domain === 'docker.io' ? 'registry-1.docker.io' : domain;
  const head = `Head "https://${host}/v2/${path}/manifests/${tag}"`;
  switch (refusal) {
    case 'unauthorized':
      return engineError(`${head}: unauthorized: authentication required`);
    case 'denied':
      return engineError(
        `pull access denied for ${repository}, repository does not exist or may require 'docker login': denied: requested access to the resource is denied`,
      );
    case 'forbidden':
      return engineError(
        `failed to resolve reference "${familiar}": failed to authorize: failed to fetch oauth token: unexpected status from GET request to https://${host}/proxy_auth: 403 Forbidden`,
      );
    case 'anonymous-401':
      return engineError(
        `failed to resolve reference "${familiar}": failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized`,
      );
    case 'manifest-unknown':
      return engineError(`manifest for ${familiar} not found: manifest unknown: manifest unknown`);
  }
}

/** The key under which docker stores a registry's login. */
export function loginKey(server: string | undefined): string {
  if (server === undefined || server === 'docker.io') return DOCKER_HUB;
  return server.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
}
