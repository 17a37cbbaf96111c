import * as vscode from 'vscode';
import type { Failure } from '../values/failure.ts';
import { inEnglish } from '../values/message.ts';
import { actionFor } from './actions.ts';
import { localize } from './localize.ts';
import type { Log } from './log.ts';

/** Tells the user what went wrong, with its next step; the whole text goes into the log. */
export async function showFailure(failure: Failure, log: Log, instanceId?: string): Promise<void> {
  log.error(`${failure.kind}: ${inEnglish(failure.message)}${failure.detail ? `\n${failure.detail}` : ''}`);
  const action =
    failure.action === undefined
      ? undefined
      : actionFor(failure.action, instanceId === undefined ? {} : { instanceId });
  const chosen = await vscode.window.showErrorMessage(
    localize(failure.message),
    ...(action === undefined ? [] : [action.title]),
  );
  if (action !== undefined && chosen === action.title) {
    await vscode.commands.executeCommand(action.command, ...action.args);
  }
}
