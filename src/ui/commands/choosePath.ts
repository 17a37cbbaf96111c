import * as vscode from 'vscode';
import type { Command } from './command.ts';

/** Lets the user point at the CLI's binary. */
export const choosePath: Command = {
  id: 'brev.choosePath',
  run: async (parts) => {
    const chosen = await vscode.window.showOpenDialog({
      title: vscode.l10n.t('The brev binary'),
      openLabel: vscode.l10n.t('Use This'),
      canSelectMany: false,
    });
    const file = chosen?.[0];
    if (file !== undefined) {
      await vscode.workspace
        .getConfiguration('brev')
        .update('path', file.fsPath, vscode.ConfigurationTarget.Global);
      await parts.store.refresh();
    }
  },
};
