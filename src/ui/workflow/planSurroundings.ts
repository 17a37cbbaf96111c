import * as vscode from 'vscode';
import { pythonAt } from '../../platforms/brevSdk/sdkPlace.ts';
import type { PlatformId } from '../../platforms/platform.ts';
import { type CredentialName, credentialNames } from '../../preflight/credentials.ts';
import { systemClock } from '../../process/clock.ts';
import type { S3Credentials } from '../../storage/s3.ts';
import { type Message, message } from '../../values/message.ts';
import { PlanWorld } from '../../workflow/planWorld.ts';
import type { PlanContext } from '../../workflow/readPlan.ts';
import { jobSecrets } from '../jobSecrets.ts';
import type { Parts } from '../parts.ts';
import { settings } from '../settings.ts';
import { planName } from './planName.ts';

/** What a plan is read in: the files beside it, the catalogue, and which platforms are set up. */
export async function contextOf(parts: Parts, uri: vscode.Uri): Promise<PlanContext> {
  const [lepton, { catalogue }] = await Promise.all([
    leptonTrouble(parts),
    (await parts.specs()).catalogue(),
  ]);
  const sdk = sdkTrouble(parts);
  return {
    name: planName(uri),
    catalogue,
    fileExists: async (file) => (await read(beside(uri, file))) !== undefined,
    platformTrouble: (platform: PlatformId) =>
      platform === 'lepton' ? lepton : platform === 'brev-sdk' ? sdk : undefined,
  };
}

/** The world that a plan's executor acts on. */
export function worldOf(parts: Parts, uri: vscode.Uri): PlanWorld {
  return new PlanWorld({
    clock: systemClock,
    jobs: parts.jobs,
    brev: parts.brev,
    store: parts.store,
    offers: parts.offers,
    readiness: settings.readiness,
    placement: () => parts.credentials.placement(),
    readSpec: async (file) => {
      const spec = beside(uri, file);
      const content = await read(spec);
      return content === undefined ? undefined : { content, uri: spec.toString() };
    },
    secrets: () => jobSecrets(parts.credentials),
    variable: async (name) =>
      isCredential(name) ? (await parts.credentials.find(name))?.value : process.env[name],
    s3: () => s3Credentials(parts),
    lepton: () => parts.credentials.leptonAccount(),
    sdkTrouble: async () => sdkTrouble(parts),
  });
}

async function leptonTrouble({ credentials }: Parts): Promise<Message | undefined> {
  const reading = await credentials.leptonAccount();
  switch (reading.kind) {
    case 'ok':
      return undefined;
    case 'absent':
      return message('Lepton is not set up: LEPTON_WORKSPACE_ID and LEPTON_WORKSPACE_TOKEN are not set.');
    case 'unusable':
      return reading.sentence;
  }
}

function sdkTrouble({ sdkPlace }: Parts): Message | undefined {
  return pythonAt(sdkPlace()) === undefined
    ? message('The TAO SDK is not installed here. Install it in the Setup view.')
    : undefined;
}

async function s3Credentials({ credentials }: Parts): Promise<S3Credentials | undefined> {
  const find = async (name: CredentialName): Promise<string | undefined> =>
    (await credentials.find(name))?.value;
  const [accessKey, secretKey, sessionToken, endpoint, region] = await Promise.all([
    find('ACCESS_KEY'),
    find('SECRET_KEY'),
    find('AWS_SESSION_TOKEN'),
    find('S3_ENDPOINT_URL'),
    find('CLOUD_REGION'),
  ]);
  return accessKey === undefined || secretKey === undefined
    ? undefined
    : { accessKey, secretKey, sessionToken, endpoint, region };
}

function isCredential(name: string): name is CredentialName {
  return credentialNames.some((each) => each === name);
}

function beside(uri: vscode.Uri, file: string): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..', file);
}

async function read(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError) {
      // missing, or a folder: the plan says that it isn't there
      return undefined;
    }
    throw error;
  }
}
