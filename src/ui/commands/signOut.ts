import * as vscode from 'vscode';
import { logout } from '../../brev/login.ts';
import { showFailure } from '../showFailure.ts';
import type { Command } from './command.ts';

/** Signs the CLI out, for all windows and terminals. Instances and jobs go on. */
export const signOut: Command = {
  id: 'brev.signOut',
  run: async (parts) => {
    const go = vscode.l10n.t('Sign Out');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('Sign out of Brev?'),
      {
        modal: true,
        detail: vscode.l10n.t(
          'The Brev CLI is signed out everywhere on this computer. Instances and jobs go on running, and billing.',
        ),
      },
      go,
    );
    if (chosen !== go) {
      return;
    }
    await parts.session.signedOutByHand();
    await parts.credentials.forget('BREV_API_TOKEN');
    const outcome = await parts.brev.execute(logout());
    if (outcome.kind === 'failed') {
      await showFailure(outcome.failure, parts.log);
    }
    parts.store.forget();
    await parts.store.refresh();
  },
};
