import * as vscode from 'vscode';
import type { Job } from '../../jobs/job.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { chooseJob } from './chooseJob.ts';
import type { Command } from './command.ts';
import { askS3, type SavePlace } from './savePlace.ts';
import { logFailure, saveResults, tellSaved } from './saveResults.ts';

/** Lets the instance put what a job left into S3; the keys for it stay on this computer. */
export const uploadResults: Command = {
  id: 'brev.uploadResults',
  run: async (parts, argument) => {
    const job = await chooseJob(
      parts,
      argument,
      vscode.l10n.t('Upload Results to S3'),
      (each) => !each.foreign,
    );
    const place = job === undefined ? undefined : await askS3(parts);
    if (job !== undefined && place !== undefined) {
      await upload(parts, job, place);
    }
  },
};

async function upload(parts: Parts, job: Job, place: SavePlace): Promise<void> {
  const saved = await saveResults(parts, [job], place);
  if (saved.kind === 'ok') {
    await tellSaved(place, saved.value);
    return;
  }
  if (saved.kind === 'failed') {
    logFailure(parts, saved.failure);
    const again = vscode.l10n.t('Try Again');
    const instead = vscode.l10n.t('Download Instead…');
    const chosen = await vscode.window.showErrorMessage(
      vscode.l10n.t(
        'The results of {0} are not all in S3: {1} They are still on {2}.',
        job.details.id,
        localize(saved.failure.message),
        job.details.instanceName,
      ),
      again,
      instead,
    );
    if (chosen === again) {
      await upload(parts, job, place);
    } else if (chosen === instead) {
      await vscode.commands.executeCommand('brev.downloadResults', { kind: 'job', id: job.details.id });
    }
  }
}
