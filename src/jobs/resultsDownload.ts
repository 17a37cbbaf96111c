import path from 'node:path';
import type { JobResults, ResultFile } from '../platforms/results.ts';
import { inParallel } from '../preflight/launch/inParallel.ts';
import { downloadFile } from '../remote/downloadFile.ts';
import type { Failure } from '../values/failure.ts';
import { fileSize } from '../values/fileSize.ts';
import { type Message, message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import {
  changedBetween,
  changedMeanwhile,
  type ResultsSource,
  type SavedResults,
  type SaveProgress,
  totalBytes,
  transferTimeoutMs,
  whyNotWhole,
} from './results.ts';
import { nameProblem, ResultsFolder } from './resultsFolder.ts';

/** Small files are waiting, not bandwidth; a server takes ten sessions on a connection. */
const AT_ONCE = 3;

export interface DownloadOptions extends ResultsSource {
  /** The user's choice; the results get a folder in it that is named after the job. */
  readonly folder: string;
  readonly onProgress: (progress: SaveProgress) => void;
  readonly signal: AbortSignal;
  /** For a job that still runs: a file that grows is copied as it was at its turn, and told. */
  readonly mayChange?: boolean;
  /** Of this computer: what names it allows. */
  readonly os?: NodeJS.Platform;
}

/**
 * Copies a job's results to this computer, each file verified by its sum. What is there already, whole, isn't copied
 * again, so one that broke off can be repeated. Ok only when everything is here and, unless that is allowed, nothing
 * changed meanwhile.
 */
export async function downloadResults(options: DownloadOptions): Promise<Outcome<SavedResults>> {
  const { jobId, signal } = options;
  options.onProgress({ step: 'listing', doneBytes: 0, totalBytes: 0 });
  const listed = await options.list(signal);
  if (listed.kind !== 'ok') {
    return listed;
  }
  const os = options.os ?? process.platform;
  const results = listed.value;
  const names = [...results.files, ...results.links].map(({ path: name }) => name);
  const odd = nameProblem([jobId, ...names], os);
  const refused = whyNotWhole(jobId, results) ?? (odd === undefined ? undefined : localFault(odd));
  if (refused !== undefined) {
    return failed(refused);
  }
  let folder: ResultsFolder | undefined;
  try {
    folder = await ResultsFolder.open(path.join(options.folder, jobId), os);
    const copied = await copyAll(folder, results, options);
    return copied.kind === 'ok' ? await verified(folder, results, options) : copied;
  } catch (error) {
    return failed(localFault(message('The results could not be written: {0}', String(error))));
  } finally {
    await folder?.close();
  }
}

async function copyAll(
  folder: ResultsFolder,
  results: JobResults,
  options: DownloadOptions,
): Promise<Outcome<void>> {
  const all = totalBytes(results.files);
  const missing = await missingFiles(folder, results, options);
  if (missing.kind !== 'ok') {
    return missing;
  }
  const needed = totalBytes(missing.value);
  const free = await folder.freeBytes();
  if (needed > free) {
    return failed(
      localFault(
        message(
          'The results need {0}, and {1} is free in {2}.',
          fileSize(needed),
          fileSize(free),
          folder.folder,
        ),
      ),
    );
  }
  let doneBytes = all - needed;
  const progress = (bytes: number): void => {
    doneBytes += bytes;
    options.onProgress({ step: 'transferring', doneBytes, totalBytes: all });
  };
  progress(0);
  // the first failure ends the others
  const stop = new AbortController();
  let failure: Failure | undefined;
  await inParallel(missing.value, AT_ONCE, async (file) => {
    if (failure !== undefined || options.signal.aborted) {
      return;
    }
    const signal = AbortSignal.any([options.signal, stop.signal]);
    try {
      const outcome = await copy(folder, results, file, { ...options, signal }, progress);
      failure ??= outcome.kind === 'failed' ? outcome.failure : undefined;
    } catch (error) {
      failure ??= localFault(message('{0} could not be written: {1}', file.path, String(error)));
    }
    if (failure !== undefined) {
      stop.abort();
    }
  });
  if (failure !== undefined) {
    return failed(failure);
  }
  return options.signal.aborted ? cancelled : ok(undefined);
}

async function copy(
  folder: ResultsFolder,
  results: JobResults,
  file: ResultFile,
  { mayChange, signal }: DownloadOptions,
  progress: (bytes: number) => void,
): Promise<Outcome<void>> {
  const staged = folder.stage();
  const outcome = await downloadFile(
    {
      download: (name, onBytes, options) =>
        results.download(
          name,
          (chunk) => {
            onBytes(chunk);
            progress(chunk.length);
          },
          options,
        ),
    },
    file.path,
    staged,
    { timeoutMs: transferTimeoutMs(file.bytes), signal },
  );
  if (outcome.kind !== 'ok') {
    return outcome;
  }
  if (outcome.value !== file.bytes && mayChange !== true) {
    return failed(changedMeanwhile([file.path]));
  }
  await folder.keep(staged, file);
  return ok(undefined);
}

/** The files that aren't here yet: the instance tells sums only of those that have the right size. */
async function missingFiles(
  folder: ResultsFolder,
  results: JobResults,
  { onProgress, signal }: DownloadOptions,
): Promise<Outcome<readonly ResultFile[]>> {
  const sized = new Set<ResultFile>();
  for (const file of results.files) {
    if (await folder.hasSize(file)) {
      sized.add(file);
    }
  }
  if (sized.size === 0) {
    return ok(results.files);
  }
  onProgress({ step: 'comparing', doneBytes: 0, totalBytes: totalBytes(results.files) });
  const candidates = [...sized];
  const sums = await results.sums(candidates, signal);
  if (sums.kind !== 'ok') {
    return sums;
  }
  const here = new Set<ResultFile>();
  for (const [index, file] of candidates.entries()) {
    if (signal.aborted) {
      return cancelled;
    }
    const sum = sums.value[index];
    if (sum !== undefined && (await folder.has(file, sum))) {
      here.add(file);
    }
  }
  return ok(results.files.filter((file) => !here.has(file)));
}

async function verified(
  folder: ResultsFolder,
  results: JobResults,
  { jobId, list, mayChange, onProgress, signal }: DownloadOptions,
): Promise<Outcome<SavedResults>> {
  for (const link of results.links) {
    if (link.target !== undefined) {
      await folder.link(link);
    }
  }
  const bytes = totalBytes(results.files);
  onProgress({ step: 'verifying', doneBytes: bytes, totalBytes: bytes });
  const again = await list(signal);
  if (again.kind !== 'ok') {
    return again;
  }
  const changed = changedBetween(results, again.value);
  return changed.length > 0 && mayChange !== true
    ? failed(changedMeanwhile(changed))
    : ok({
        jobId,
        where: folder.folder,
        files: results.files.length,
        bytes,
        linksElsewhere: results.links.filter((link) => link.target === undefined).map((link) => link.path),
        changed,
        listing: { files: results.files, links: results.links },
      });
}

function localFault(sentence: Message): Failure {
  return { kind: 'localFile', message: sentence, retrySafe: true };
}
