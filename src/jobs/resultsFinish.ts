import type { JobResults, ResultFile } from '../platforms/results.ts';
import { type Outcome, ok } from '../values/outcome.ts';
import { changedBetween, forUpload, type ResultsSource, type SavedResults } from './results.ts';

/** What the jobs of an instance left together, before the instance is deleted. */
export interface LeftBehind {
  /** The jobs that left something worth saving. */
  readonly jobIds: readonly string[];
  readonly files: readonly ResultFile[];
  /** Every job's results as they were seen: what nobody saved must not have grown either. */
  readonly seen: ReadonlyMap<string, Pick<JobResults, 'files' | 'links'>>;
}

/** Looks at what these jobs left. A job whose folder is gone, or never was, left nothing. */
export async function leftBehind(
  sources: readonly ResultsSource[],
  signal: AbortSignal,
): Promise<Outcome<LeftBehind>> {
  const jobIds: string[] = [];
  const files: ResultFile[] = [];
  const seen = new Map<string, Pick<JobResults, 'files' | 'links'>>();
  for (const { jobId, list } of sources) {
    const results = await list(signal);
    if (results.kind === 'failed' && results.failure.kind === 'jobLost') {
      seen.set(jobId, { files: [], links: [] });
      continue;
    }
    if (results.kind !== 'ok') {
      return results;
    }
    const { whole, unusable, links } = results.value;
    const worth = forUpload(results.value.files);
    seen.set(jobId, { files: results.value.files, links });
    // what can't be listed or read is something, too: saving it will say so
    if (worth.length > 0 || unusable.length > 0 || !whole) {
      jobIds.push(jobId);
      files.push(...worth);
    }
  }
  return ok({ jobIds, files, seen });
}

/** What was written since these results were saved, or seen to be none: with it gone something would be lost. */
export async function writtenSince(
  sources: readonly ResultsSource[],
  left: LeftBehind,
  saved: readonly SavedResults[],
  signal: AbortSignal,
): Promise<Outcome<readonly string[]>> {
  const now = await leftBehind(sources, signal);
  if (now.kind !== 'ok') {
    return now;
  }
  const known = new Map([...left.seen, ...saved.map(({ jobId, listing }) => [jobId, listing] as const)]);
  return ok(
    [...now.value.seen].flatMap(([jobId, listing]) =>
      changedBetween(known.get(jobId) ?? { files: [], links: [] }, listing).map((path) => `${jobId}/${path}`),
    ),
  );
}
