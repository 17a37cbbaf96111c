import * as vscode from 'vscode';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';

/** Puts an instance's name into the clipboard. */
export const copyInstanceName: Command = {
  id: 'brev.copyInstanceName',
  run: async (parts, argument) => {
    const instance = await chooseInstance(parts, argument, vscode.l10n.t('Copy Name'));
    if (instance !== undefined) {
      await vscode.env.clipboard.writeText(instance.name);
    }
  },
};
