import * as vscode from 'vscode';
import type { JobEnded } from '../../jobs/job.ts';
import { actionFor } from '../actions.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';

/** Says once how a job ended, what its log says of that, and what can be done next. */
export function notifyJobEnds(parts: Parts): vscode.Disposable {
  return new vscode.Disposable(parts.jobs.onEnd((ended) => void notify(ended, parts)));
}

async function notify(ended: JobEnded, parts: Parts): Promise<void> {
  const { job } = ended;
  const { id, instanceId, instanceName } = job.details;
  const sentence = vscode.l10n.t('{0} on {1}: {2}', id, instanceName, localize(ended.sentence));
  const why = await explanation(ended, parts);
  const next = ended.action === undefined ? undefined : actionFor(ended.action, instanceId);
  const showLog = vscode.l10n.t('Show Log');
  const curves = vscode.l10n.t('Curves');
  const results = vscode.l10n.t('Results…');
  const show =
    job.state === 'COMPLETE' || job.state === 'CANCELED'
      ? vscode.window.showInformationMessage
      : job.state === 'ERROR'
        ? vscode.window.showErrorMessage
        : vscode.window.showWarningMessage;
  const chosen = await show(
    [sentence, ...why].join(' '),
    ...(next === undefined ? [] : [next.title]),
    showLog,
    curves,
    ...(job.state === 'COMPLETE' ? [results] : []),
  );
  const node = { kind: 'job', id };
  if (chosen === showLog) {
    parts.jobLogs.show(job);
  } else if (chosen === curves) {
    await vscode.commands.executeCommand('brev.showJobPanel', node);
  } else if (chosen === results) {
    await vscode.commands.executeCommand('brev.showResults', node);
  } else if (next !== undefined && chosen === next.title) {
    await vscode.commands.executeCommand(next.command, ...next.args);
  }
}

/** What log and status.json say of a failure, or of a success that is in doubt. */
async function explanation({ end, job }: JobEnded, parts: Parts): Promise<readonly string[]> {
  if (end?.step !== 'run') {
    return [];
  }
  const reading = await (await parts.readings()).read(job);
  const { verdictOf } = await import('../../tao/run/verdict.ts');
  const verdict = verdictOf({
    end,
    summary: reading.summary,
    artifact: 'unknown',
    action: job.details.action,
  });
  switch (verdict.kind) {
    case 'failed':
      return [
        localize(verdict.sentence),
        ...(verdict.explanation === undefined ? [] : [localize(verdict.explanation.advice)]),
      ];
    case 'doubtful':
      return [localize(verdict.sentence), ...verdict.reasons.map(localize)];
    case 'succeeded':
    case 'cancelled':
    case 'unknown':
      return [];
  }
}
