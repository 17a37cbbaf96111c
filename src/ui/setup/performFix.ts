import * as vscode from 'vscode';
import { changeMode } from '../../preflight/changeMode.ts';
import type { Fix } from '../../preflight/checks/fix.ts';
import { cancelled, type Outcome, ok } from '../../values/outcome.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { fixWords } from './fixWords.ts';

/** Does a fix after the user agreed to exactly that. Interactive ones run in a visible terminal, until it is closed. */
export async function performFix(parts: Parts, fix: Fix): Promise<Outcome<void>> {
  switch (fix.kind) {
    case 'command':
      // these ask by themselves
      await vscode.commands.executeCommand(fix.id, ...(fix.argument === undefined ? [] : [fix.argument]));
      return ok(undefined);
    case 'openUrl':
      await vscode.env.openExternal(vscode.Uri.parse(fix.url));
      return cancelled;
    case 'terminal':
      return (await agreed(fix)) ? inTerminal(parts, localize(fix.title), fix.args) : cancelled;
    case 'installExtension':
      if (!(await agreed(fix))) {
        return cancelled;
      }
      await vscode.commands.executeCommand('workbench.extensions.installExtension', fix.extensionId);
      return ok(undefined);
    case 'chmod':
      return (await agreed(fix)) ? changeMode(fix.path, fix.mode) : cancelled;
  }
}

async function agreed(fix: Fix): Promise<boolean> {
  const go = localize(fix.title);
  const chosen = await vscode.window.showInformationMessage(go, { modal: true, detail: fixWords(fix) }, go);
  return chosen === go;
}

async function inTerminal(parts: Parts, title: string, args: readonly string[]): Promise<Outcome<void>> {
  const opened = await parts.terminals.cli(title, args);
  if (opened.kind !== 'ok') {
    return opened;
  }
  await new Promise<void>((resolve) => {
    const closed = vscode.window.onDidCloseTerminal((terminal) => {
      if (terminal === opened.value) {
        closed.dispose();
        resolve();
      }
    });
  });
  return ok(undefined);
}
