import * as vscode from 'vscode';
import type { InstanceStore } from '../../instances/store.ts';
import type { SetupView } from './setupView.ts';

/** Checks the set-up again when what only the user could mend came or went, such as a missing CLI or a sign-in. */
export function recheckSetup(store: InstanceStore, setupView: SetupView): vscode.Disposable {
  let neededUser = store.needsUser;
  return new vscode.Disposable(
    store.onChange(() => {
      if (store.needsUser !== neededUser) {
        neededUser = store.needsUser;
        setupView.recheck();
      }
    }),
  );
}
