import * as vscode from 'vscode';
import { type Instance, isOn } from '../../instances/instance.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';
import { startNow } from './startInstance.ts';

/**
 * Makes sure, by a fresh list, that the instance is on: the CLI's exec would start a stopped one by itself, and that
 * costs money. Offers to start it when it is stopped.
 */
export async function confirmRunning(parts: Parts, instance: Instance): Promise<Instance | undefined> {
  const listed = await parts.store.refresh();
  if (listed.kind === 'failed') {
    await showFailure(listed.failure, parts.log);
    return undefined;
  }
  const now = parts.store.find(instance.id);
  if (now === undefined) {
    void vscode.window.showWarningMessage(vscode.l10n.t('{0} is gone.', instance.name));
    return undefined;
  }
  if (isOn(now)) {
    return now;
  }
  if (now.status === 'stopped') {
    await startNow(parts, [now], vscode.l10n.t('{0} is stopped.', now.name));
    return undefined;
  }
  void vscode.window.showWarningMessage(
    vscode.l10n.t('{0} is {1}. Wait until it is running.', now.name, now.reported.status || '?'),
  );
  return undefined;
}
