import * as vscode from 'vscode';
import type { CostStatusOptions } from './costStatus.ts';

/** Shows what runs and what it costs; what that takes is loaded when there is a list. */
export function watchCost(options: CostStatusOptions): vscode.Disposable {
  let loaded: Promise<vscode.Disposable> | undefined;
  const stop = options.store.onChange(() => {
    stop();
    loaded = import('./costStatus.ts').then(({ CostStatus }) => new CostStatus(options));
  });
  return new vscode.Disposable(() => {
    stop();
    void loaded?.then((status) => status.dispose());
  });
}
