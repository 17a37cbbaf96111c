import * as vscode from 'vscode';
import type { Instance } from '../../instances/instance.ts';
import type { Submission } from '../../jobs/submitting.ts';
import type { JobSecrets, PlatformId, SubmitStep } from '../../platforms/platform.ts';
import { unreachable } from '../../values/unreachable.ts';
import { cancellable } from '../cancellable.ts';
import { jobSecrets } from '../jobSecrets.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';

const NO_SECRETS: JobSecrets = { environment: new Map(), ngcKey: undefined };

/** Submits a job with progress, and shows its log. */
export async function submitJob(
  parts: Parts,
  instance: Pick<Instance, 'id' | 'name'>,
  job: Pick<Submission, 'id' | 'platform' | 'placement' | 'work' | 'specUri' | 'retryOf'>,
): Promise<void> {
  // on Lepton they come from the workspace, by the names in the placement
  const secrets = job.platform === 'lepton' ? NO_SECRETS : await jobSecrets(parts.credentials);
  const what =
    job.work.kind === 'spec' ? `${job.work.spec.network} ${job.work.spec.action}` : job.work.command;
  const outcome = await cancellable(vscode.l10n.t('{0} on {1}', what, instance.name), (signal, progress) => {
    return parts.jobs.submit({
      ...job,
      instance,
      secrets,
      onStep: (step) => progress.report({ message: stepWords(job.platform, step) }),
      signal,
    });
  });
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

function stepWords(platform: PlatformId, step: SubmitStep): string {
  if (platform === 'lepton') {
    return step === 'launching'
      ? vscode.l10n.t('sending the job to Lepton…')
      : vscode.l10n.t('checking the workspace…');
  }
  switch (step) {
    case 'checking':
      return vscode.l10n.t('checking the instance…');
    case 'uploading':
      return vscode.l10n.t('uploading the spec… (the first command on a fresh instance can take minutes)');
    case 'launching':
      return vscode.l10n.t('starting the container…');
  }
}
