import * as vscode from 'vscode';
import type { Message } from '../values/message.ts';

/** A sentence from below the UI in the user's language. */
export function localize(sentence: Message): string {
  return vscode.l10n.t(sentence.template, ...sentence.args);
}
