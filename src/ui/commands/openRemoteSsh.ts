import * as vscode from 'vscode';
import { refresh } from '../../brev/exec.ts';
import { isUsableName } from '../../brev/instanceName.ts';
import { REMOTE_SSH, remoteSshExtensions } from '../../preflight/checks/remoteSsh.ts';
import { cancellable } from '../cancellable.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { confirmRunning } from './confirmRunning.ts';

/** Opens an instance in a window of its own by Remote-SSH. The alias is the CLI's: it keeps the ssh config, we never write it. */
export const openRemoteSsh: Command = {
  id: 'brev.openRemoteSsh',
  run: async (parts, argument) => {
    if (!(await canOpen())) {
      return;
    }
    const chosen = await chooseInstance(parts, argument, vscode.l10n.t('Open in Remote-SSH'));
    const instance = chosen === undefined ? undefined : await confirmRunning(parts, chosen);
    if (
      instance === undefined ||
      !isUsableName(instance.name) ||
      !(await refreshAlias(parts, instance.name))
    ) {
      return;
    }
    await vscode.commands.executeCommand('vscode.newWindow', {
      remoteAuthority: `ssh-remote+${authorityOf(instance.name)}`,
      reuseWindow: false,
    });
  },
};

/** Remote-SSH runs on the user's own computer, where the alias must be known. */
async function canOpen(): Promise<boolean> {
  if (vscode.env.remoteName !== undefined && vscode.env.remoteName !== 'wsl') {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'This window is on another machine itself, whose SSH settings your computer does not see. Open the instance from a local window.',
      ),
    );
    return false;
  }
  if (remoteSshExtensions.some((id) => vscode.extensions.getExtension(id) !== undefined)) {
    return true;
  }
  const install = vscode.l10n.t('Install Remote-SSH');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Opening an instance in VS Code needs the Remote-SSH extension.'),
    install,
  );
  if (chosen === install) {
    await vscode.commands.executeCommand('workbench.extensions.search', `@id:${REMOTE_SSH}`);
  }
  return false;
}

async function refreshAlias(parts: Parts, name: string): Promise<boolean> {
  const refreshed = await cancellable(vscode.l10n.t('Updating the SSH settings for {0}', name), (signal) => {
    return parts.brev.execute(refresh(), signal);
  });
  if (refreshed.kind === 'failed') {
    await showFailure(refreshed.failure, parts.log);
  }
  return refreshed.kind === 'ok';
}

/** An authority is lower-cased on its way; a name that this would change goes as hex, which Remote-SSH reads as JSON. */
export function authorityOf(name: string): string {
  return /^[a-z0-9.-]+$/.test(name) ? name : Buffer.from(JSON.stringify({ hostName: name })).toString('hex');
}
