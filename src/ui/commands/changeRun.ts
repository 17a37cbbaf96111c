import * as vscode from 'vscode';
import { guessRun } from '../../tao/spec/guessRun.ts';
import type { Command } from './command.ts';
import { changeRun as change } from './reviewRun.ts';
import { uriFrom } from './uriFrom.ts';

/** Changes model, action, image or number of GPUs for a spec file. */
export const changeRun: Command = {
  id: 'brev.changeRun',
  run: async (parts, argument) => {
    const uri = uriFrom(argument) ?? (await parts.specs()).open.active;
    if (uri === undefined) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Open a YAML spec first, or right-click one in the explorer.'),
      );
      return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const guess = await guessRun(Buffer.from(document.getText()), vscode.workspace.asRelativePath(uri));
    await change(parts, uri, guess);
  },
};
