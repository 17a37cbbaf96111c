import * as vscode from 'vscode';
import type { JobEnded, Jobs } from '../../jobs/jobs.ts';
import { actionFor } from '../actions.ts';
import { localize } from '../localize.ts';
import type { JobLogs } from './jobLogs.ts';

/** Says once how a job ended. */
export function notifyJobEnds(jobs: Jobs, logs: JobLogs): vscode.Disposable {
  return new vscode.Disposable(jobs.onEnd((ended) => void notify(ended, logs)));
}

async function notify({ action, job, sentence }: JobEnded, logs: JobLogs): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const text = vscode.l10n.t('{0} on {1}: {2}', job.details.id, job.details.instanceName, localize(sentence));
  const next = action === undefined ? undefined : actionFor(action, job.details.instanceId);
  const show =
    job.state === 'COMPLETE' || job.state === 'CANCELED'
      ? vscode.window.showInformationMessage
      : job.state === 'ERROR'
        ? vscode.window.showErrorMessage
        : vscode.window.showWarningMessage;
  const chosen = await show(text, ...(next === undefined ? [] : [next.title]), showLog);
  if (chosen === showLog) {
    logs.show(job);
  } else if (next !== undefined && chosen === next.title) {
    await vscode.commands.executeCommand(next.command, ...next.args);
  }
}
