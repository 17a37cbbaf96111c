import * as vscode from 'vscode';
import type { InstanceStore } from '../../instances/store.ts';
import type { Credentials } from '../credentials.ts';
import type { SetupView } from './setupView.ts';

/**
 * Checks the set-up again when what only the user could mend came or went, such as a missing CLI or a sign-in, and when
 * a token or key was entered.
 */
export function recheckSetup(
  store: InstanceStore,
  credentials: Credentials,
  setupView: SetupView,
): vscode.Disposable {
  let neededUser = store.needsUser;
  const stop = store.onChange(() => {
    if (store.needsUser !== neededUser) {
      neededUser = store.needsUser;
      setupView.recheck();
    }
  });
  return vscode.Disposable.from(
    new vscode.Disposable(stop),
    credentials.onChange(() => setupView.recheck()),
  );
}
