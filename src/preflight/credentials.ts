import path from 'node:path';
import { type Message, message } from '../values/message.ts';
import type { EnvFile } from './envFile.ts';

/** The values that the TAO tools know by these names, in the environment and in the env file. */
export const credentialNames = [
  /** Signs in to Brev. */
  'BREV_API_TOKEN',
  /** Pulls images from nvcr.io. */
  'NGC_KEY',
  /** Downloads gated models from Hugging Face. */
  'HF_TOKEN',
  /** The S3 key pair, and where its storage is. */
  'ACCESS_KEY',
  'SECRET_KEY',
  /** Beside a temporary S3 key pair, by the name that AWS gives it; TAO has none of its own. */
  'AWS_SESSION_TOKEN',
  'S3_ENDPOINT_URL',
  'S3_BUCKET_NAME',
  'CLOUD_REGION',
  /** The placement of new instances: whose cloud account pays, and the group that they belong to. */
  'BREV_CLOUD_CRED_ID',
  'BREV_WORKSPACE_GROUP_ID',
  /** The workspace on NVIDIA DGX Cloud Lepton, its token, and its address where that isn't the usual one. */
  'LEPTON_WORKSPACE_ID',
  'LEPTON_WORKSPACE_TOKEN',
  'LEPTON_WORKSPACE_URL',
] as const;

export type CredentialName = (typeof credentialNames)[number];

/** Where a value was found, in the order in which the places are looked at. */
export type CredentialSource = 'environment' | 'envFile' | 'secretStore';

export interface Credential {
  readonly value: string;
  readonly source: CredentialSource;
}

export interface CredentialPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Undefined when it can't be read. */
  readonly envFile: Pick<EnvFile, 'values'> | undefined;
  /** Asked only for what the other places don't have: it may ask the user to unlock it. */
  readonly secrets: (name: string) => Promise<string | undefined>;
}

/** Where NVIDIA's TAO tools keep credentials and placement. */
export function taoEnvFile(home: string): string {
  return path.join(home, '.config', 'tao', '.env');
}

/** The credentials that are set, each from the first place that has it. Empty is not set. */
export async function findCredentials<Name extends string>(
  names: readonly Name[],
  places: CredentialPlaces,
): Promise<ReadonlyMap<Name, Credential>> {
  const found = await Promise.all(
    names.map(async (name) => [name, await findCredential(name, places)] as const),
  );
  return new Map(
    found.flatMap(([name, credential]) => (credential === undefined ? [] : [[name, credential] as const])),
  );
}

/** One credential, or undefined when no place has it. */
export async function findCredential(
  name: string,
  places: CredentialPlaces,
): Promise<Credential | undefined> {
  if (name !== 'AWS_SESSION_TOKEN') {
    return lookUp(name, places);
  }
  // one that lies around elsewhere, for another account, would spoil this key pair
  const key = await lookUp('SECRET_KEY', places);
  return key === undefined ? undefined : lookUp(name, only(key.source, places));
}

function only(source: CredentialSource, places: CredentialPlaces): CredentialPlaces {
  return {
    environment: source === 'environment' ? places.environment : {},
    envFile: source === 'envFile' ? places.envFile : undefined,
    secrets: source === 'secretStore' ? places.secrets : async () => undefined,
  };
}

async function lookUp(name: string, places: CredentialPlaces): Promise<Credential | undefined> {
  const environment = given(places.environment[name]);
  if (environment !== undefined) {
    return { value: environment, source: 'environment' };
  }
  const envFile = given(places.envFile?.values.get(name));
  if (envFile !== undefined) {
    return { value: envFile, source: 'envFile' };
  }
  const secret = given(await places.secrets(name));
  return secret === undefined ? undefined : { value: secret, source: 'secretStore' };
}

/** Says where a value comes from, by its name only. */
export function foundIn(name: string, source: CredentialSource, envFilePath: string): Message {
  switch (source) {
    case 'environment':
      return message('Set in the environment: {0}.', name);
    case 'envFile':
      return message('Set in {1}: {0}.', name, envFilePath);
    case 'secretStore':
      return message("Set in VS Code's secret storage: {0}.", name);
  }
}

/** A value that was pasted may bring blanks and a line end along, which no credential has. */
function given(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}
