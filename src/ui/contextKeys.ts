import * as vscode from 'vscode';

/** The context keys that menus and welcome views read, and their values. */
interface ContextKeys {
  readonly 'brev.state':
    | 'unknown'
    | 'noCli'
    | 'signedOut'
    | 'tokenStale'
    | 'offline'
    | 'empty'
    | 'failed'
    | 'listed';
  /** Whether a list shows only the types that fit a spec. */
  readonly 'brev.typesThatFit': boolean;
  /** The paths of the open files that are TAO specs, for the button above their editors. */
  readonly 'brev.specs': readonly string[];
}

/** The only caller of setContext. */
export function setContextKey<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
