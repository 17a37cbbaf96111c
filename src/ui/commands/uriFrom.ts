import * as vscode from 'vscode';

/** The file that a menu, a button or a lens passed; undefined when it passed something else. */
export function uriFrom(argument: unknown): vscode.Uri | undefined {
  return argument instanceof vscode.Uri ? argument : undefined;
}
