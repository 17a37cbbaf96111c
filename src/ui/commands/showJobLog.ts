import * as vscode from 'vscode';
import { chooseJob } from './chooseJob.ts';
import type { Command } from './command.ts';

/** Shows a job's log: the local copy, which goes on growing while the job runs. */
export const showJobLog: Command = {
  id: 'brev.showJobLog',
  run: async (parts, argument) => {
    const job = await chooseJob(parts, argument, vscode.l10n.t('Show Job Log'));
    if (job !== undefined) {
      parts.jobLogs.show(job);
    }
  },
};
