import * as vscode from 'vscode';
import { loginWithToken } from '../../brev/login.ts';
import type { Parts } from '../parts.ts';
import { askText, pickOne } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';
import type { Command } from './command.ts';

/** Signs in to Brev, in the browser or by token. */
export const signIn: Command = {
  id: 'brev.signIn',
  run: async (parts) => {
    const way = await pickOne<'browser' | 'token'>({ title: vscode.l10n.t('Sign In to Brev') }, async () => [
      {
        label: vscode.l10n.t('In the browser'),
        detail: vscode.l10n.t('Runs brev login in a terminal.'),
        iconPath: new vscode.ThemeIcon('globe'),
        value: 'browser',
      },
      {
        label: vscode.l10n.t('With a token'),
        detail: vscode.l10n.t('For machines without a browser. Tokens last about an hour.'),
        iconPath: new vscode.ThemeIcon('key'),
        value: 'token',
      },
    ]);
    if (way.kind !== 'picked') {
      return;
    }
    await (way.value === 'browser' ? inBrowser(parts) : withToken(parts));
  },
};

async function inBrowser(parts: Parts): Promise<void> {
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

async function withToken(parts: Parts): Promise<void> {
  const token = await askText({
    title: vscode.l10n.t('Sign In to Brev'),
    prompt: vscode.l10n.t(
      'The token from the Brev console. It is given to the Brev CLI and not stored here.',
    ),
    password: true,
    validate: (value) => (value.trim() === '' ? vscode.l10n.t('Paste the token.') : undefined),
  });
  if (token.kind !== 'picked') {
    return;
  }
  parts.redactor.addSecret(token.value.trim());
  const outcome = await parts.brev.execute(loginWithToken(token.value.trim()));
  if (outcome.kind === 'failed') {
    await showFailure(outcome.failure, parts.log);
  }
  await parts.store.refresh();
}
