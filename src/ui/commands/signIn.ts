import * as vscode from 'vscode';
import { loginWithApiKey } from '../../brev/login.ts';
import type { CredentialSource } from '../../preflight/credentials.ts';
import type { Parts } from '../parts.ts';
import { askText, pickOne } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';
import type { Command } from './command.ts';

type Way = 'browser' | 'token' | 'apiKey';

/** Signs in to Brev: in the browser, by token, or by API key where the CLI has that. */
export const signIn: Command = {
  id: 'brev.signIn',
  run: async (parts) => {
    const dialect = await parts.brev.dialect();
    if (dialect.kind === 'failed') {
      await showFailure(dialect.failure, parts.log);
      return;
    }
    const token = await parts.credentials.find('BREV_API_TOKEN');
    const way = await pickOne<Way>({ title: vscode.l10n.t('Sign In to Brev') }, async () => [
      {
        label: vscode.l10n.t('In the browser'),
        detail: vscode.l10n.t('Runs brev login in a terminal.'),
        iconPath: new vscode.ThemeIcon('globe'),
        value: 'browser',
      },
      {
        label: vscode.l10n.t('With a token'),
        detail:
          token === undefined
            ? vscode.l10n.t('For machines without a browser. Tokens last about an hour.')
            : vscode.l10n.t('In use now: BREV_API_TOKEN from {0}.', sourceWords(token.source, parts)),
        iconPath: new vscode.ThemeIcon('key'),
        value: 'token',
      },
      ...(dialect.kind === 'ok' && dialect.value.apiKeyLogin
        ? [
            {
              label: vscode.l10n.t('With an API key'),
              detail: vscode.l10n.t('For one organisation; the key says what it may do.'),
              iconPath: new vscode.ThemeIcon('lock'),
              value: 'apiKey' as const,
            },
          ]
        : []),
    ]);
    if (way.kind !== 'picked') {
      return;
    }
    switch (way.value) {
      case 'browser':
        await inBrowser(parts);
        return;
      case 'token':
        await withToken(parts, token?.source);
        return;
      case 'apiKey':
        await withApiKey(parts);
        return;
    }
  },
};

/** Where a credential comes from, in words. */
export function sourceWords(source: CredentialSource, parts: Parts): string {
  switch (source) {
    case 'environment':
      return vscode.l10n.t('the environment');
    case 'envFile':
      return parts.credentials.envFilePath;
    case 'secretStore':
      return vscode.l10n.t("VS Code's secret storage");
  }
}

async function inBrowser(parts: Parts): Promise<void> {
  await parts.session.signedInByHand();
  const opened = await parts.terminals.cli(vscode.l10n.t('Brev sign-in'), ['login']);
  if (opened.kind === 'failed') {
    await showFailure(opened.failure, parts.log);
    return;
  }
  if (opened.kind === 'ok') {
    const closed = vscode.window.onDidCloseTerminal((terminal) => {
      if (terminal === opened.value) {
        closed.dispose();
        void parts.store.refresh();
      }
    });
  }
}

/** A token from the environment or the env file comes first, so a new one has to be put there. */
async function withToken(parts: Parts, source: CredentialSource | undefined): Promise<void> {
  if (source === 'environment' || source === 'envFile') {
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t(
        'BREV_API_TOKEN is set in {0}, which comes before a token that is entered here. Put the new one there.',
        sourceWords(source, parts),
      ),
      ...(source === 'envFile' ? [vscode.l10n.t('Open File')] : []),
    );
    if (chosen !== undefined) {
      await vscode.window.showTextDocument(vscode.Uri.file(parts.credentials.envFilePath));
      return;
    }
  } else if (
    !(await parts.credentials.enter('BREV_API_TOKEN', vscode.l10n.t('The token from the Brev console.')))
  ) {
    return;
  }
  await parts.session.signedInByHand();
  const listed = await parts.store.refresh();
  if (listed.kind === 'failed') {
    await showFailure(listed.failure, parts.log);
  }
}

async function withApiKey(parts: Parts): Promise<void> {
  const title = vscode.l10n.t('Sign In to Brev');
  const key = await askText({
    title,
    step: 1,
    totalSteps: 2,
    prompt: vscode.l10n.t(
      'The API key from the Brev console. It is given to the Brev CLI and not stored here.',
    ),
    placeholder: 'bak-…',
    password: true,
    validate: (value) =>
      /^bak-\S+$/.test(value.trim()) ? undefined : vscode.l10n.t('An API key begins with bak-.'),
  });
  if (key.kind !== 'picked') {
    return;
  }
  parts.redactor.addSecret(key.value.trim());
  const organisation = await askText({
    title,
    step: 2,
    totalSteps: 2,
    prompt: vscode.l10n.t("The organisation's id: the Brev console shows it on the organisation's page."),
    validate: (value) =>
      /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(value.trim()) ? undefined : vscode.l10n.t('Type the id.'),
  });
  if (organisation.kind !== 'picked') {
    return;
  }
  const outcome = await parts.brev.execute(loginWithApiKey(key.value.trim(), organisation.value.trim()));
  if (outcome.kind === 'failed') {
    await showFailure(outcome.failure, parts.log);
  }
  await parts.session.signedInByHand();
  await parts.store.refresh();
}
