import type { JobResults, ResultFile, UnusableReason } from '../platforms/results.ts';
import type { Failure } from '../values/failure.ts';
import { type Message, message } from '../values/message.ts';
import type { Outcome } from '../values/outcome.ts';

/** Whose results are to be saved, and what was there at any time. */
export interface ResultsSource {
  readonly jobId: string;
  readonly list: (signal: AbortSignal) => Promise<Outcome<JobResults>>;
}

/** Results that were saved and verified. */
export interface SavedResults {
  readonly jobId: string;
  /** The folder, or the s3:// path, that has them now. */
  readonly where: string;
  readonly files: number;
  readonly bytes: number;
  /** Links to what lies outside of the results, which isn't saved. */
  readonly linksElsewhere: readonly string[];
  /** What the job wrote while it was being saved; only where that was allowed. */
  readonly changed: readonly string[];
  /** What was there when all was verified, to see later whether something came after it. */
  readonly listing: Pick<JobResults, 'files' | 'links'>;
}

/** How far a save is. */
export interface SaveProgress {
  readonly step: 'listing' | 'comparing' | 'transferring' | 'verifying';
  readonly doneBytes: number;
  readonly totalBytes: number;
}

export function totalBytes(files: readonly ResultFile[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

/** What belongs into S3: not TAO's own bookkeeping in `.tao/` (tao.md part 2, results layout). */
export function forUpload(files: readonly ResultFile[]): readonly ResultFile[] {
  return files.filter(({ path }) => !path.split('/').slice(0, -1).includes('.tao'));
}

/** Why results can't be saved as a whole: with one file left out they would only look saved. */
export function whyNotWhole(jobId: string, results: JobResults): Failure | undefined {
  const [first, ...others] = results.unusable;
  if (!results.whole) {
    return refusal(
      message(
        '{0} left more than {1} files. Pack them on the instance first, for instance with tar.',
        jobId,
        results.files.length + results.links.length,
      ),
    );
  }
  return first === undefined
    ? undefined
    : refusal(unusable(first.path, first.reason), others.map(({ path }) => path).join('\n'));
}

/** What was written, removed or rewritten between two listings. */
export function changedBetween(
  before: Pick<JobResults, 'files' | 'links'>,
  after: Pick<JobResults, 'files' | 'links'>,
): readonly string[] {
  const signs = ({ files, links }: Pick<JobResults, 'files' | 'links'>): ReadonlyMap<string, string> =>
    new Map([
      ...files.map(({ path, bytes, modified }) => [path, `${bytes} ${modified}`] as const),
      ...links.map(({ path, target }) => [path, `link ${target ?? ''}`] as const),
    ]);
  const [old, now] = [signs(before), signs(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path));
}

/** For results that weren't the same before and after they were saved. */
export function changedMeanwhile(changed: readonly string[]): Failure {
  return {
    kind: 'remoteFailed',
    message: message(
      'Something still writes the results: {0} changed while they were being saved. Try again when it has ended.',
      changed[0] ?? '',
    ),
    retrySafe: true,
    detail: changed.join('\n'),
  };
}

/** How long a transfer may take at a rate below which nobody would wait. */
export function transferTimeoutMs(bytes: number): number {
  return 600_000 + bytes / 50;
}

function unusable(path: string, reason: UnusableReason): Message {
  switch (reason) {
    case 'unreadable':
      return message('{0} cannot be read on the instance: it belongs to another user.', path);
    case 'special':
      return message('{0} among the results is no file. Remove it, then try again.', path);
    case 'name':
      return message('The name of {0} is no text (UTF-8). Rename it on the instance.', path);
  }
}

function refusal(sentence: Message, detail = ''): Failure {
  return { kind: 'remoteFailed', message: sentence, retrySafe: true, ...(detail === '' ? {} : { detail }) };
}
