import * as vscode from 'vscode';
import type { Job } from '../../jobs/job.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { chooseJob } from './chooseJob.ts';
import type { Command } from './command.ts';
import { askFolder, type SavePlace } from './savePlace.ts';
import { logFailure, saveResults, tellSaved } from './saveResults.ts';

/** Copies what a job left into a folder of this computer. */
export const downloadResults: Command = {
  id: 'brev.downloadResults',
  run: async (parts, argument) => {
    const job = await chooseJob(parts, argument, vscode.l10n.t('Download Results'), (each) => !each.foreign);
    const place = job === undefined ? undefined : await askFolder();
    if (job !== undefined && place !== undefined) {
      await download(parts, job, place);
    }
  },
};

async function download(parts: Parts, job: Job, place: SavePlace): Promise<void> {
  const saved = await saveResults(parts, [job], place);
  if (saved.kind === 'ok') {
    await tellSaved(place, saved.value);
    return;
  }
  if (saved.kind === 'failed') {
    logFailure(parts, saved.failure);
    const again = vscode.l10n.t('Try Again');
    const chosen = await vscode.window.showErrorMessage(
      vscode.l10n.t(
        'The results of {0} are not all here: {1} What is here already is not copied again.',
        job.details.id,
        localize(saved.failure.message),
      ),
      again,
    );
    if (chosen === again) {
      await download(parts, job, place);
    }
  }
}
