import * as vscode from 'vscode';
import type { Command } from './command.ts';
import { runSpecFile } from './runSpecFile.ts';
import { uriFrom } from './uriFrom.ts';

/** Runs a spec on Lepton: the one that a menu or a quick fix passed, or that is being edited. */
export const runSpecOnLepton: Command = {
  id: 'brev.runSpecOnLepton',
  run: async (parts, argument) => {
    const uri = uriFrom(argument) ?? vscode.window.activeTextEditor?.document.uri;
    if (uri === undefined) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Open a YAML spec first, or right-click one in the explorer.'),
      );
      return;
    }
    await runSpecFile(parts, { uri, target: 'lepton' });
  },
};
