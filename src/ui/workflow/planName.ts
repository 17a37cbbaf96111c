import * as vscode from 'vscode';

/** The files that are plans, by their names. */
export const PLANS: vscode.DocumentSelector = { pattern: '**/*.brevflow.{json,yaml,yml}' };

export function isPlanFile(uri: vscode.Uri): boolean {
  return /\.brevflow\.(?:json|ya?ml)$/i.test(uri.path) && !['git', 'output'].includes(uri.scheme);
}

/** `train` for `train.brevflow.yaml`. */
export function planName(uri: vscode.Uri): string {
  return (uri.path.split('/').at(-1) ?? '').replace(/\.brevflow\.[a-z]+$/i, '');
}

/** Calls `load` once, as soon as a plan is in an editor. */
export function whenPlanIsSeen(load: () => void): vscode.Disposable {
  const look = (editors: readonly vscode.TextEditor[]): void => {
    if (editors.some(({ document }) => isPlanFile(document.uri))) {
      listening.dispose();
      load();
    }
  };
  const listening = vscode.window.onDidChangeVisibleTextEditors(look);
  look(vscode.window.visibleTextEditors);
  return listening;
}
