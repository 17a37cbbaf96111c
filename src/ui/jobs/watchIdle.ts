import * as vscode from 'vscode';
import type { IdleReminderOptions } from '../../jobs/idleReminder.ts';
import type { Parts } from '../parts.ts';

/** Asks about instances on which nothing runs any more; what that takes is loaded when there is a job. */
export function watchIdle(
  parts: Parts,
  options: Pick<IdleReminderOptions, 'marks' | 'seenOn' | 'inUse' | 'idleMs' | 'clock'>,
): vscode.Disposable {
  let loaded: Promise<vscode.Disposable> | undefined;
  const stop = parts.jobs.onChange(() => {
    stop();
    loaded = import('./idleNotice.ts').then(({ remindOfIdle }) => remindOfIdle(parts, options));
    loaded.catch((error: unknown) => parts.log.error(`idle instances: ${String(error)}`));
  });
  return new vscode.Disposable(() => {
    stop();
    void loaded?.then((reminder) => reminder.dispose());
  });
}
