import * as vscode from 'vscode';
import { type CredentialName, credentialNames } from '../../preflight/credentials.ts';
import { pickOne } from '../quickInput.ts';
import type { Command } from './command.ts';
import { sourceWords } from './signIn.ts';

/** Asks for a token or key and keeps it in the secret storage. Gives true when it was stored. */
export const enterCredential: Command = {
  id: 'brev.enterCredential',
  run: async (parts, argument) => {
    const name = credentialNames.find((each) => each === argument) ?? (await pickName());
    if (name === undefined) {
      return false;
    }
    const known = await parts.credentials.find(name);
    if (known !== undefined && known.source !== 'secretStore') {
      const open = vscode.l10n.t('Open File');
      const chosen = await vscode.window.showInformationMessage(
        vscode.l10n.t(
          '{0} is set in {1}, which comes first. Change it there.',
          name,
          sourceWords(known.source, parts),
        ),
        ...(known.source === 'envFile' ? [open] : []),
      );
      if (chosen === open) {
        await vscode.window.showTextDocument(vscode.Uri.file(parts.credentials.envFilePath));
      }
      return false;
    }
    const entered = await parts.credentials.enter(name, purpose(name));
    if (entered && name === 'BREV_API_TOKEN') {
      await parts.session.signedInByHand();
      await parts.store.refresh();
    }
    return entered;
  },
};

async function pickName(): Promise<CredentialName | undefined> {
  const picked = await pickOne<CredentialName>({ title: vscode.l10n.t('Enter a Token or Key') }, async () =>
    credentialNames.map((name) => ({ label: name, detail: purpose(name), value: name })),
  );
  return picked.kind === 'picked' ? picked.value : undefined;
}

function purpose(name: CredentialName): string {
  switch (name) {
    case 'BREV_API_TOKEN':
      return vscode.l10n.t('The token from the Brev console, which signs in.');
    case 'NGC_KEY':
      return vscode.l10n.t('The NGC API key, which pulls images from nvcr.io.');
    case 'HF_TOKEN':
      return vscode.l10n.t('The Hugging Face token, which downloads gated models.');
    case 'ACCESS_KEY':
      return vscode.l10n.t('The id of the S3 key pair.');
    case 'SECRET_KEY':
      return vscode.l10n.t('The secret of the S3 key pair.');
    case 'AWS_SESSION_TOKEN':
      return vscode.l10n.t('The session token of a temporary S3 key pair.');
    case 'S3_ENDPOINT_URL':
      return vscode.l10n.t('The URL of an S3 server other than AWS.');
    case 'S3_BUCKET_NAME':
      return vscode.l10n.t('The S3 bucket for results.');
    case 'CLOUD_REGION':
      return vscode.l10n.t('The region of the S3 bucket.');
    case 'BREV_CLOUD_CRED_ID':
      return vscode.l10n.t('The cloud credential of new instances.');
    case 'BREV_WORKSPACE_GROUP_ID':
      return vscode.l10n.t('The workspace group of new instances.');
    case 'LEPTON_WORKSPACE_ID':
      return vscode.l10n.t('The id of the workspace on NVIDIA DGX Cloud Lepton.');
    case 'LEPTON_WORKSPACE_TOKEN':
      return vscode.l10n.t(
        'The token of the workspace on NVIDIA DGX Cloud Lepton; with the id before it, as in id:token, it says which workspace too.',
      );
    case 'LEPTON_WORKSPACE_URL':
      return vscode.l10n.t('The address of the Lepton workspace, where it is not the usual one.');
  }
}
