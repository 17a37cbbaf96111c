import * as vscode from 'vscode';
import { chooseJob } from './chooseJob.ts';
import type { Command } from './command.ts';

/** Opens the whole local copy of a job's log in an editor, for searching. */
export const openJobLogFile: Command = {
  id: 'brev.openJobLogFile',
  run: async (parts, argument) => {
    const job = await chooseJob(
      parts,
      argument,
      vscode.l10n.t('Open Job Log in Editor'),
      (each) => !each.foreign,
    );
    if (job === undefined) {
      return;
    }
    try {
      await vscode.window.showTextDocument(vscode.Uri.file(parts.jobs.logFile(job.details.id)));
    } catch {
      // VS Code refuses what isn't there, and what is too large for an editor
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          'The log cannot be opened as a text file. It is {0}',
          parts.jobs.logFile(job.details.id),
        ),
      );
    }
  },
};
