import * as vscode from 'vscode';

/** Calls `load` once, as soon as a YAML file is in an editor: who has none needs nothing of specs. */
export function whenYamlIsSeen(load: () => void): vscode.Disposable {
  const look = (editors: readonly vscode.TextEditor[]): void => {
    if (editors.some(({ document }) => isYamlFile(document))) {
      listening.dispose();
      load();
    }
  };
  const listening = vscode.window.onDidChangeVisibleTextEditors(look);
  look(vscode.window.visibleTextEditors);
  return listening;
}

/** Only what can be run: an old version in a diff view, or a file without a name, can't. */
export function isYamlFile({ languageId, uri }: vscode.TextDocument): boolean {
  const isText = languageId === 'yaml' || /\.ya?ml$/i.test(uri.path);
  return isText && !['git', 'untitled', 'output', 'vscode-userdata'].includes(uri.scheme);
}
