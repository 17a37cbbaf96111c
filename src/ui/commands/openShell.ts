import * as vscode from 'vscode';
import { showFailure } from '../showFailure.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { confirmRunning } from './confirmRunning.ts';

/** Opens an interactive shell on an instance in a terminal. */
export const openShell: Command = {
  id: 'brev.openShell',
  run: async (parts, argument) => {
    const chosen = await chooseInstance(parts, argument, vscode.l10n.t('Open Shell on Instance'));
    const instance = chosen === undefined ? undefined : await confirmRunning(parts, chosen);
    if (instance === undefined) {
      return;
    }
    const opened = await parts.terminals.shell(instance);
    if (opened.kind === 'failed') {
      await showFailure(opened.failure, parts.log, instance.id);
    }
  },
};
