import * as vscode from 'vscode';
import type { JobEnded, Jobs } from '../../jobs/jobs.ts';
import { localize } from '../localize.ts';
import type { JobLogs } from './jobLogs.ts';

/** Says once how a job ended. */
export function notifyJobEnds(jobs: Jobs, logs: JobLogs): vscode.Disposable {
  return new vscode.Disposable(jobs.onEnd((ended) => void notify(ended, logs)));
}

async function notify({ job, sentence }: JobEnded, logs: JobLogs): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const text = vscode.l10n.t('{0} on {1}: {2}', job.details.id, job.details.instanceName, localize(sentence));
  const show =
    job.state === 'COMPLETE' || job.state === 'CANCELED'
      ? vscode.window.showInformationMessage
      : job.state === 'ERROR'
        ? vscode.window.showErrorMessage
        : vscode.window.showWarningMessage;
  if ((await show(text, showLog)) === showLog) {
    logs.show(job);
  }
}
