import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { InstanceStore } from '../instances/store.ts';
import { watchSignIn } from '../preflight/signInWatch.ts';
import type { Clock } from '../process/clock.ts';

/** While signed out nothing is polled; a sign-in in another window or in a terminal ends that. */
export function resumeOnSignIn(store: InstanceStore, clock: Clock): vscode.Disposable {
  const folder = path.join(process.env.HOME ?? homedir(), '.brev');
  let watching: Promise<{ dispose(): void }> | undefined;
  const stop = (): void => {
    void watching?.then((watcher) => watcher.dispose());
    watching = undefined;
  };
  const unsubscribe = store.onChange(() => {
    if (!store.needsUser) {
      stop();
    } else {
      watching ??= watchSignIn(folder, clock, () => void store.refresh());
    }
  });
  return new vscode.Disposable(() => {
    unsubscribe();
    stop();
  });
}
