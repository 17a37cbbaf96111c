import * as vscode from 'vscode';
import { copyToInstance } from '../../brev/copy.ts';
import type { LaunchContext } from '../../preflight/launch/context.ts';
import type { LaunchFix } from '../../preflight/launch/launchCheck.ts';
import type { RemoteAnswer } from '../../remote/shell.ts';
import type { Outcome } from '../../values/outcome.ts';
import { cancellable } from '../cancellable.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';

/** Data sets are large, and the CLI's copy shows no progress. */
const UPLOAD_TIMEOUT_MS = 6 * 3_600_000;

/** Does what a launch check offers. False when the user goes elsewhere and the run ends here. */
export async function fixLaunch(
  parts: Parts,
  spec: vscode.Uri,
  context: LaunchContext,
  fix: LaunchFix,
): Promise<boolean> {
  switch (fix.kind) {
    case 'enterCredential':
      await vscode.commands.executeCommand('brev.enterCredential', fix.name);
      return true;
    case 'signIn':
      await vscode.commands.executeCommand('brev.signIn');
      return true;
    case 'findMachine':
      await vscode.commands.executeCommand('brev.createInstance', spec);
      return false;
    case 'openSpec': {
      const at = new vscode.Position(fix.line - 1, 0);
      await vscode.window.showTextDocument(spec, { selection: new vscode.Range(at, at) });
      return false;
    }
    case 'upload':
      await upload(parts, context, fix);
      return true;
  }
}

async function upload(
  parts: Parts,
  context: LaunchContext,
  fix: Extract<LaunchFix, { kind: 'upload' }>,
): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('What becomes {0} in the container', fix.containerPath),
    openLabel: vscode.l10n.t('Upload'),
    canSelectFiles: true,
    canSelectFolders: true,
    canSelectMany: false,
  });
  const source = chosen?.[0];
  if (source === undefined) {
    return;
  }
  const outcome = await cancellable(
    vscode.l10n.t('Uploading {0} to {1}', source.fsPath, context.instance.name),
    async (signal) => {
      const folder = await makeParent(context, fix.remotePath, signal);
      if (folder.kind !== 'ok') {
        return folder;
      }
      const command = copyToInstance(source.fsPath, context.instance.name, fix.remotePath, UPLOAD_TIMEOUT_MS);
      return command.kind === 'ok' ? parts.brev.execute(command.value, signal) : command;
    },
  );
  if (outcome.kind === 'failed') {
    await showFailure(outcome.failure, parts.log);
  }
}

/** The folder that the copy goes into; its shell has seen that the instance is on, which copy would not look at. */
async function makeParent(
  context: LaunchContext,
  remotePath: string,
  signal: AbortSignal,
): Promise<Outcome<RemoteAnswer>> {
  const shell = await context.shell();
  return shell.kind === 'ok'
    ? shell.value.run(
        { text: 'mkdir -p "$HOME/$(dirname "$1")"', args: [remotePath] },
        { timeoutMs: 60_000, signal },
      )
    : shell;
}
