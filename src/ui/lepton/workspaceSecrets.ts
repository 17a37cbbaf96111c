import * as vscode from 'vscode';
import type { LeptonClient } from '../../platforms/lepton/client.ts';
import { cancellable } from '../cancellable.ts';
import { jobSecrets } from '../jobSecrets.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';

/** What a job's program gets on Lepton: plain values, and secrets by the names that the workspace has. */
export interface LeptonVariables {
  readonly environment: Readonly<Record<string, string>>;
  readonly secretNames: Readonly<Record<string, string>>;
}

/** These are ordinary words, which the workspace need not keep. */
const PLAIN = new Set(['AWS_ENDPOINT_URL', 'AWS_DEFAULT_REGION', 'S3_BUCKET_NAME']);
const S3_KEYS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

/**
 * A job on Lepton gets secrets only from its workspace. Those that are only here are put there if the user agrees.
 * Undefined when the run is not to go on.
 */
export async function workspaceSecrets(
  parts: Parts,
  client: LeptonClient,
  needsS3: boolean,
): Promise<LeptonVariables | undefined> {
  const listed = await cancellable(
    vscode.l10n.t('Looking at the secrets of {0}', client.workspaceId),
    (signal) => client.secretNames(signal),
  );
  if (listed.kind !== 'ok') {
    if (listed.kind === 'failed') {
      void showFailure(listed.failure, parts.log);
    }
    return undefined;
  }
  const { environment: mine } = await jobSecrets(parts.credentials);
  const plain = [...mine].filter(([name]) => PLAIN.has(name));
  const secrets = [...mine].filter(([name]) => !PLAIN.has(name));
  const there = new Set(listed.value);
  const missing = secrets.filter(([name]) => !there.has(name));
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(', ');
    const put = vscode.l10n.t('Put Them There');
    const without = vscode.l10n.t('Run without Them');
    const answer = await vscode.window.showInformationMessage(
      vscode.l10n.t('Give the Lepton workspace {0} these secrets?', client.workspaceId),
      {
        modal: true,
        detail: vscode.l10n.t(
          'Jobs on Lepton get secrets only from their workspace, and it does not have: {0}. They are kept there, for your jobs only.',
          names,
        ),
      },
      put,
      without,
    );
    if (answer === undefined) {
      return undefined;
    }
    if (answer === put) {
      for (const [name, value] of missing) {
        const kept = await cancellable(
          vscode.l10n.t('Keeping {0} in {1}', name, client.workspaceId),
          (signal) => client.createSecret(name, value, signal),
        );
        if (kept.kind !== 'ok') {
          if (kept.kind === 'failed') {
            void showFailure(kept.failure, parts.log);
          }
          return undefined;
        }
        there.add(name);
      }
    }
  }
  if (needsS3 && !S3_KEYS.every((name) => there.has(name))) {
    const enter = vscode.l10n.t('Enter S3 Keys…');
    const answer = await vscode.window.showErrorMessage(
      vscode.l10n.t(
        'The job copies from or to S3, but the workspace {0} has no AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for it.',
        client.workspaceId,
      ),
      enter,
    );
    if (answer === enter) {
      await vscode.commands.executeCommand('brev.enterCredential', 'ACCESS_KEY');
      await vscode.commands.executeCommand('brev.enterCredential', 'SECRET_KEY');
    }
    return undefined;
  }
  const given = [...new Set([...secrets.map(([name]) => name), ...S3_KEYS])].filter((name) =>
    there.has(name),
  );
  return {
    environment: Object.fromEntries(plain),
    secretNames: Object.fromEntries(given.map((name) => [name, name])),
  };
}
