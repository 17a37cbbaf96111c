import * as vscode from 'vscode';
import type { Parts } from '../parts.ts';

/** Says once how each job ended; what that takes is loaded when one does. */
export function notifyJobEnds(parts: Parts): vscode.Disposable {
  return new vscode.Disposable(
    parts.jobs.onEnd((ended) => {
      if (parts.plannedJobs.has(ended.job.details.id) && ended.job.state !== 'ERROR') {
        return;
      }
      import('./jobEndNotice.ts')
        .then(({ notifyOfEnd }) => notifyOfEnd(ended, parts))
        .catch((error: unknown) => parts.log.error(`the end of ${ended.job.details.id}: ${String(error)}`));
    }),
  );
}
