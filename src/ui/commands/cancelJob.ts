import * as vscode from 'vscode';
import { isTerminal } from '../../jobs/job.ts';
import { cancellable } from '../cancellable.ts';
import { showFailure } from '../showFailure.ts';
import { chooseJob } from './chooseJob.ts';
import type { Command } from './command.ts';

/** Cancels a job on its instance and verifies that its container is stopped. */
export const cancelJob: Command = {
  id: 'brev.cancelJob',
  run: async (parts, argument) => {
    const job = await chooseJob(
      parts,
      argument,
      vscode.l10n.t('Cancel Job'),
      (each) => !isTerminal(each.state),
    );
    if (job === undefined) {
      return;
    }
    const { id, instanceName, platform } = job.details;
    const go = vscode.l10n.t('Cancel Job');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('Cancel {0}?', id),
      {
        modal: true,
        detail:
          platform === 'lepton'
            ? vscode.l10n.t('It is stopped on all its nodes. What it has not saved to S3 is lost.')
            : vscode.l10n.t(
                'Its container is stopped. Checkpoints that it has written stay on {0}, which goes on billing.',
                instanceName,
              ),
      },
      go,
    );
    if (chosen !== go) {
      return;
    }
    const outcome = await cancellable(vscode.l10n.t('Cancelling {0}', id), (signal) => {
      return parts.jobs.cancel(id, signal);
    });
    if (outcome.kind === 'failed') {
      await showFailure(outcome.failure, parts.log, job.details.instanceId);
    }
  },
};
