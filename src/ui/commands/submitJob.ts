import * as vscode from 'vscode';
import type { Instance } from '../../instances/instance.ts';
import type { Submission } from '../../jobs/submitting.ts';
import type { SubmitStep } from '../../platforms/platform.ts';
import { unreachable } from '../../values/unreachable.ts';
import { jobSecrets } from '../jobSecrets.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';

/** Submits a job with progress, and shows its log. */
export async function submitJob(
  parts: Parts,
  instance: Pick<Instance, 'id' | 'name'>,
  job: Pick<Submission, 'platform' | 'placement' | 'work' | 'specUri' | 'retryOf'>,
): Promise<void> {
  const secrets = await jobSecrets(parts.credentials);
  const what =
    job.work.kind === 'spec' ? `${job.work.spec.network} ${job.work.spec.action}` : job.work.command;
  const outcome = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('{0} on {1}', what, instance.name),
      cancellable: true,
    },
    (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      return parts.jobs.submit({
        ...job,
        instance,
        secrets,
        onStep: (step) => progress.report({ message: stepWords(step) }),
        signal: abort.signal,
      });
    },
  );
  switch (outcome.kind) {
    case 'ok':
      parts.jobLogs.show(outcome.value);
      return;
    case 'failed':
      await showFailure(outcome.failure, parts.log, instance.id);
      return;
    case 'cancelled':
      return;
    default:
      unreachable(outcome);
  }
}

function stepWords(step: SubmitStep): string {
  switch (step) {
    case 'checking':
      return vscode.l10n.t('checking the instance…');
    case 'uploading':
      return vscode.l10n.t('uploading the spec… (the first command on a fresh instance can take minutes)');
    case 'launching':
      return vscode.l10n.t('starting the container…');
  }
}
