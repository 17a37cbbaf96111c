import * as vscode from 'vscode';

export type Progress = vscode.Progress<{ readonly message?: string; readonly increment?: number }>;

/** Shows that something long goes on, in a notification whose button cancels it. */
export function cancellable<T>(
  title: string,
  work: (signal: AbortSignal, progress: Progress) => Promise<T>,
): Thenable<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      return work(abort.signal, progress);
    },
  );
}
