import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../jobs/job.ts';
import type { ResultsSource, SavedResults, SaveProgress } from '../../jobs/results.ts';
import type { Failure } from '../../values/failure.ts';
import { fileSize } from '../../values/fileSize.ts';
import { type Outcome, ok } from '../../values/outcome.ts';
import { cancellable } from '../cancellable.ts';
import type { Parts } from '../parts.ts';
import type { SavePlace } from './savePlace.ts';

/** The results of a job, for what lists and saves them. */
export function resultsOf(parts: Parts, { details: { id } }: Job): ResultsSource {
  return { jobId: id, list: (signal) => parts.jobs.results(id, signal) };
}

/** Saves the results of these jobs, one after the other, with progress; all of them or it has failed. */
export async function saveResults(
  parts: Parts,
  jobs: readonly Job[],
  place: SavePlace,
): Promise<Outcome<readonly SavedResults[]>> {
  const all: SavedResults[] = [];
  for (const job of jobs) {
    const { id } = job.details;
    const title =
      place.kind === 's3'
        ? vscode.l10n.t('Uploading the results of {0}', id)
        : vscode.l10n.t('Downloading the results of {0}', id);
    const saved = await withProgress(title, (onProgress, signal) =>
      saveOne(parts, job, place, { onProgress, signal }),
    );
    if (saved.kind !== 'ok') {
      return saved;
    }
    all.push(saved.value);
    parts.log.info(
      `results of ${id}: ${saved.value.files} files, ${saved.value.bytes} bytes in ${saved.value.where}`,
    );
  }
  return ok(all);
}

async function saveOne(
  parts: Parts,
  job: Job,
  place: SavePlace,
  how: { readonly onProgress: (progress: SaveProgress) => void; readonly signal: AbortSignal },
): Promise<Outcome<SavedResults>> {
  const options = { ...resultsOf(parts, job), ...how };
  switch (place.kind) {
    case 'folder': {
      const { downloadResults } = await import('../../jobs/resultsDownload.ts');
      return downloadResults({ ...options, folder: place.folder, mayChange: !isTerminal(job.state) });
    }
    case 's3': {
      const { uploadResults } = await import('../../jobs/resultsUpload.ts');
      return uploadResults({ ...options, destination: place.destination, credentials: place.credentials });
    }
  }
}

/** A notification with a bar in bytes, and a Cancel. */
export function withProgress<T>(
  title: string,
  work: (onProgress: (progress: SaveProgress) => void, signal: AbortSignal) => Promise<T>,
): Thenable<T> {
  return cancellable(title, (signal, bar) => {
    let shown = 0;
    return work((progress) => {
      const percent = progress.totalBytes === 0 ? 0 : (100 * progress.doneBytes) / progress.totalBytes;
      const increment = Math.max(0, Math.floor(percent) - shown);
      shown += increment;
      bar.report({ message: progressWords(progress), increment });
    }, signal);
  });
}

/** Says what was saved, where, and what of it was left out. */
export async function tellSaved(place: SavePlace, saved: readonly SavedResults[]): Promise<void> {
  const files = saved.reduce((total, each) => total + each.files, 0);
  const bytes = saved.reduce((total, each) => total + each.bytes, 0);
  const where = saved.map((each) => each.where).join(', ');
  const show = place.kind === 'folder' ? vscode.l10n.t('Show in Folder') : vscode.l10n.t('Copy Path');
  const chosen = await vscode.window.showInformationMessage(
    [
      vscode.l10n.t('Verified in {0}: {1} ({2}).', where, fileCount(files), fileSize(bytes)),
      ...leftOutWords(saved),
    ].join(' '),
    show,
  );
  if (chosen === show) {
    await (place.kind === 'folder'
      ? vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(saved[0]?.where ?? place.folder))
      : vscode.env.clipboard.writeText(where));
  }
}

/** How many files, in words. */
export function fileCount(files: number): string {
  return files === 1 ? vscode.l10n.t('one file') : vscode.l10n.t('{0} files', files);
}

/** What a save leaves out by its nature. */
export function leftOutWords(saved: readonly SavedResults[]): readonly string[] {
  const links = saved.flatMap((each) => each.linksElsewhere);
  const changed = saved.flatMap((each) => each.changed);
  return [
    ...(links.length === 0
      ? []
      : [vscode.l10n.t('Left out, since they point outside of the results: {0}.', abridged(links))]),
    ...(changed.length === 0
      ? []
      : [vscode.l10n.t('The job still writes: {0} changed meanwhile.', abridged(changed))]),
  ];
}

/** A failure's whole text, for the log; the message goes where it is shown. */
export function logFailure(parts: Parts, { kind, detail = '' }: Failure): void {
  parts.log.error(`results: ${kind}\n${detail}`.trim());
}

function abridged(names: readonly string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')}, …`;
}

function progressWords({ step, doneBytes, totalBytes }: SaveProgress): string {
  switch (step) {
    case 'listing':
      return vscode.l10n.t('looking what is there…');
    case 'comparing':
      return vscode.l10n.t('comparing with what is here already…');
    case 'transferring':
      return vscode.l10n.t('{0} of {1}', fileSize(doneBytes), fileSize(totalBytes));
    case 'verifying':
      return vscode.l10n.t('verifying…');
  }
}
