import * as vscode from 'vscode';
import type { Instance } from '../../instances/instance.ts';
import type { Job } from '../../jobs/job.ts';
import { type SavedResults, totalBytes } from '../../jobs/results.ts';
import { type LeftBehind, leftBehind, writtenSince } from '../../jobs/resultsFinish.ts';
import type { Failure } from '../../values/failure.ts';
import { fileSize } from '../../values/fileSize.ts';
import { message } from '../../values/message.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { deleteNow } from './deleteInstance.ts';
import { askFolder, askS3, type SavePlace } from './savePlace.ts';
import { fileCount, leftOutWords, logFailure, resultsOf, saveResults, withProgress } from './saveResults.ts';

/** The instances whose question is open in this window. */
const asking = new Set<string>();

/** Saves what the jobs of an instance left, verified, and offers to delete it only after that. */
export const finishEphemeral: Command = {
  id: 'brev.finishEphemeral',
  run: async (parts, argument) => {
    const instance = await chooseInstance(parts, argument, vscode.l10n.t('Save Results, Then Delete'));
    if (instance === undefined || asking.has(instance.id)) {
      return;
    }
    asking.add(instance.id);
    try {
      await finish(parts, instance);
    } finally {
      asking.delete(instance.id);
    }
  },
};

/** Whether a job of the instance may still run; one whose state isn't known counts as ended, and is named later. */
function hasLiveJob(parts: Parts, instanceId: string): boolean {
  return jobsOn(parts, instanceId).some(({ state }) => state === 'PENDING' || state === 'RUNNING');
}

function jobsOn(parts: Parts, instanceId: string): readonly Job[] {
  return parts.jobs.all.filter((job) => !job.foreign && job.details.instanceId === instanceId);
}

async function finish(parts: Parts, instance: Instance): Promise<void> {
  if (hasLiveJob(parts, instance.id)) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('A job still runs on {0}. Its results can be saved when it has ended.', instance.name),
    );
    return;
  }
  // for the price; without an answer it is unknown
  await parts.offers.load();
  const sources = jobsOn(parts, instance.id).map((job) => resultsOf(parts, job));
  const left = await withProgress(vscode.l10n.t('Looking for results on {0}', instance.name), (_, signal) =>
    leftBehind(sources, signal),
  );
  switch (left.kind) {
    case 'failed':
      await tryAgainAfter(parts, instance, left.failure);
      return;
    case 'cancelled':
      tellKept(parts, instance);
      return;
    case 'ok':
      break;
  }
  if (left.value.jobIds.length === 0) {
    await offerDelete(
      parts,
      instance,
      left.value,
      [],
      [vscode.l10n.t('The jobs on {0} left nothing in their results folders.', instance.name)],
    );
    return;
  }
  const place = await askPlace(parts, instance, left.value);
  if (place === undefined) {
    tellKept(parts, instance);
    return;
  }
  await saveThenOffer(parts, instance, left.value, place);
}

/** The question itself. Undefined keeps the instance. */
async function askPlace(parts: Parts, instance: Instance, left: LeftBehind): Promise<SavePlace | undefined> {
  const s3 = vscode.l10n.t('Save to S3…');
  const folder = vscode.l10n.t('Download…');
  const keep = vscode.l10n.t('Keep the Instance');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The jobs on {0} have ended and left {1} ({2}). Save them before it is deleted? It is billing ({3}).',
      instance.name,
      fileCount(left.files.length),
      fileSize(totalBytes(left.files)),
      priceOf(parts, instance),
    ),
    s3,
    folder,
    keep,
  );
  return chosen === s3 ? askS3(parts) : chosen === folder ? askFolder() : undefined;
}

async function saveThenOffer(
  parts: Parts,
  instance: Instance,
  left: LeftBehind,
  place: SavePlace,
): Promise<void> {
  const jobs = jobsOn(parts, instance.id).filter(({ details }) => left.jobIds.includes(details.id));
  const saved = await saveResults(parts, jobs, place);
  switch (saved.kind) {
    case 'failed':
      await tryAgainAfter(parts, instance, saved.failure);
      return;
    case 'cancelled':
      tellKept(parts, instance);
      return;
    case 'ok':
      await offerDelete(parts, instance, left, saved.value, [
        vscode.l10n.t(
          'All results of {0} are verified in {1}.',
          instance.name,
          saved.value.map(({ where }) => where).join(', '),
        ),
        ...leftOutWords(saved.value),
      ]);
      return;
  }
}

async function offerDelete(
  parts: Parts,
  instance: Instance,
  left: LeftBehind,
  saved: readonly SavedResults[],
  words: readonly string[],
): Promise<void> {
  const unknown = jobsOn(parts, instance.id).filter(({ state }) => state === 'UNKNOWN');
  const go = vscode.l10n.t('Delete {0}', instance.name);
  const chosen = await vscode.window.showWarningMessage(
    [
      ...words,
      ...(unknown.length === 0
        ? []
        : [
            vscode.l10n.t('How {0} ended is not known.', unknown.map(({ details }) => details.id).join(', ')),
          ]),
      vscode.l10n.t(
        'Delete {0}? Everything else on it is lost, such as ~/data. Until then it is billing ({1}).',
        instance.name,
        priceOf(parts, instance),
      ),
    ].join(' '),
    go,
    vscode.l10n.t('Keep the Instance'),
  );
  if (chosen !== go) {
    return;
  }
  // hours may have passed since the question was asked
  if (hasLiveJob(parts, instance.id)) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} is not deleted: a job runs on it again.', instance.name),
    );
    return;
  }
  const sources = jobsOn(parts, instance.id).map((job) => resultsOf(parts, job));
  const written = await withProgress(vscode.l10n.t('Looking once more at {0}', instance.name), (_, signal) =>
    writtenSince(sources, left, saved, signal),
  );
  switch (written.kind) {
    case 'failed':
      await tryAgainAfter(parts, instance, written.failure);
      return;
    case 'cancelled':
      tellKept(parts, instance);
      return;
    case 'ok':
      break;
  }
  if (written.value.length > 0) {
    await tryAgainAfter(parts, instance, {
      kind: 'remoteFailed',
      message: message('{0} was written after the results were saved.', written.value[0] ?? ''),
      retrySafe: true,
      detail: written.value.join('\n'),
    });
    return;
  }
  await deleteNow(parts, [instance]);
}

/** What failed deletes nothing; says so, and that it costs. */
async function tryAgainAfter(parts: Parts, instance: Instance, failure: Failure): Promise<void> {
  logFailure(parts, failure);
  const again = vscode.l10n.t('Try Again');
  const chosen = await vscode.window.showErrorMessage(
    vscode.l10n.t(
      '{0} is not deleted, and still billing ({1}): its results are not safe. {2}',
      instance.name,
      priceOf(parts, instance),
      localize(failure.message),
    ),
    again,
  );
  if (chosen === again) {
    await finish(parts, instance);
  }
}

function tellKept(parts: Parts, instance: Instance): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t('{0} is kept, and still billing ({1}).', instance.name, priceOf(parts, instance)),
  );
}

function priceOf(parts: Parts, { type }: Instance): string {
  return formatPrice(parts.offers.known(type)?.pricePerHour);
}
