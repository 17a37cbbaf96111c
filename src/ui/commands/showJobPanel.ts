import * as vscode from 'vscode';
import { chooseJob } from './chooseJob.ts';
import type { Command } from './command.ts';

/** Shows a job's curves, progress and facts. */
export const showJobPanel: Command = {
  id: 'brev.showJobPanel',
  run: async (parts, argument) => {
    const job = await chooseJob(parts, argument, vscode.l10n.t('Show Curves'), (each) => !each.foreign);
    if (job !== undefined) {
      (await parts.panels()).show([job.details.id]);
    }
  },
};
