import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The folder where a job on a machine with this home leaves its results. */
export function resultsFolder(home: string, jobId: string): string {
  return path.join(home, '.brev-jobs', jobId, 'results');
}

/** Writes what a job would have left; tells its folder. */
export function leave(
  home: string,
  jobId: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): string {
  const folder = resultsFolder(home, jobId);
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}
