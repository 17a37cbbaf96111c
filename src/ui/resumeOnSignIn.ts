import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { InstanceStore } from '../instances/store.ts';
import { watchSignIn } from '../preflight/signInWatch.ts';
import type { Clock } from '../process/clock.ts';
import type { Log } from './log.ts';
import { showFailure } from './showFailure.ts';

/**
 * While signed out nothing is polled; a sign-in in another window or in a terminal ends that. Where there are rows, no
 * welcome text offers to sign in: then that is said, once.
 */
export function resumeOnSignIn(store: InstanceStore, clock: Clock, log: Log): vscode.Disposable {
  const folder = path.join(process.env.HOME ?? homedir(), '.brev');
  let watching: Promise<{ dispose(): void }> | undefined;
  const stop = (): void => {
    void watching?.then((watcher) => watcher.dispose());
    watching = undefined;
  };
  const unsubscribe = store.onChange(() => {
    if (!store.needsUser) {
      stop();
      return;
    }
    if (watching === undefined && store.listing.kind === 'stale' && store.instances.length > 0) {
      void showFailure(store.listing.failure, log);
    }
    watching ??= watchSignIn(folder, clock, () => void store.refresh());
  });
  return new vscode.Disposable(() => {
    unsubscribe();
    stop();
  });
}
