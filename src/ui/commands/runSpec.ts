import * as vscode from 'vscode';
import type { Command } from './command.ts';
import { runSpecFile } from './runSpecFile.ts';
import { uriFrom } from './uriFrom.ts';

/** Runs the spec file that was right-clicked, or that is being edited, on an instance to be picked. */
export const runSpec: Command = {
  id: 'brev.runSpec',
  run: async (parts, argument) => {
    const uri = uriFrom(argument) ?? vscode.window.activeTextEditor?.document.uri;
    if (uri === undefined) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Open a YAML spec first, or right-click one in the explorer.'),
      );
      return;
    }
    await runSpecFile(parts, { uri });
  },
};
