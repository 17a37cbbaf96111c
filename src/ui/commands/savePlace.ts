import * as vscode from 'vscode';
import type { CredentialName } from '../../preflight/credentials.ts';
import { tellProblem } from '../../preflight/launch/s3Trouble.ts';
import type { S3Credentials } from '../../storage/s3.ts';
import { parseS3Path, type S3Path } from '../../storage/s3Path.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { askText } from '../quickInput.ts';

/** Where results are to be saved. */
export type SavePlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 's3'; readonly destination: S3Path; readonly credentials: S3Credentials };

const LAST_DESTINATION = 'results.destination';

/** Asks for a folder of this computer. */
export async function askFolder(): Promise<SavePlace | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Folder for the results; each job gets one of its own in it'),
    openLabel: vscode.l10n.t('Download Here'),
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: false,
  });
  const folder = chosen?.[0];
  if (folder === undefined) {
    return undefined;
  }
  if (folder.scheme !== 'file') {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} is no folder of this computer.', folder.toString()),
    );
    return undefined;
  }
  return { kind: 'folder', folder: folder.fsPath };
}

/** Asks where in S3, and for the keys that are missing. The keys stay on this computer. */
export async function askS3(parts: Parts): Promise<SavePlace | undefined> {
  const accessKey = await keyOf(parts, 'ACCESS_KEY');
  const secretKey = accessKey === undefined ? undefined : await keyOf(parts, 'SECRET_KEY');
  if (accessKey === undefined || secretKey === undefined) {
    return undefined;
  }
  const find = async (name: CredentialName): Promise<string | undefined> =>
    (await parts.credentials.find(name))?.value;
  const bucket = await find('S3_BUCKET_NAME');
  const last = parts.memory.get<string>(LAST_DESTINATION);
  const typed = await askText({
    title: vscode.l10n.t('Save results to S3'),
    prompt: vscode.l10n.t('Where in S3; each job gets a folder of its own in it'),
    placeholder: 's3://bucket/results',
    value: last ?? (bucket === undefined ? '' : `s3://${bucket}/results`),
    validate: (text) => {
      const reading = parseS3Path(text.trim(), { wholeBucket: true });
      return reading.kind === 'path' ? undefined : localize(tellProblem(reading.problem));
    },
  });
  if (typed.kind !== 'picked') {
    return undefined;
  }
  const reading = parseS3Path(typed.value.trim(), { wholeBucket: true });
  if (reading.kind !== 'path') {
    return undefined;
  }
  await parts.memory.update(LAST_DESTINATION, typed.value.trim());
  return {
    kind: 's3',
    destination: reading.path,
    credentials: {
      accessKey,
      secretKey,
      sessionToken: await find('AWS_SESSION_TOKEN'),
      endpoint: await find('S3_ENDPOINT_URL'),
      region: await find('CLOUD_REGION'),
    },
  };
}

async function keyOf(parts: Parts, name: 'ACCESS_KEY' | 'SECRET_KEY'): Promise<string | undefined> {
  const found = await parts.credentials.find(name);
  if (found !== undefined) {
    return found.value;
  }
  await vscode.commands.executeCommand('brev.enterCredential', name);
  return (await parts.credentials.find(name))?.value;
}
