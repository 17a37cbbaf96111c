import * as vscode from 'vscode';
import type { Command } from './command.ts';

/** Opens the Setup view and runs all checks. */
export const runSetupChecks: Command = {
  id: 'brev.runSetupChecks',
  run: async (parts) => {
    await vscode.commands.executeCommand('brev.setup.focus');
    await parts.setupView.run();
  },
};
