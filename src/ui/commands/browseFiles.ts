import * as vscode from 'vscode';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { confirmRunning } from './confirmRunning.ts';

/** Shows what is on an instance in the Files view. */
export const browseFiles: Command = {
  id: 'brev.browseFiles',
  run: async (parts, argument) => {
    const chosen = await chooseInstance(parts, argument, vscode.l10n.t('Browse Files on Instance'));
    const instance = chosen === undefined ? undefined : await confirmRunning(parts, chosen);
    if (instance !== undefined) {
      await parts.files.show(instance);
    }
  },
};
