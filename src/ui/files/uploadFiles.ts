import path from 'node:path';
import * as vscode from 'vscode';
import type { Brev } from '../../brev/brev.ts';
import { copyToInstance } from '../../brev/copy.ts';
import type { Instance } from '../../instances/instance.ts';
import { listFolder } from '../../remote/remoteFolder.ts';
import type { Shells } from '../../remote/shells.ts';
import { cancellable } from '../cancellable.ts';
import type { Log } from '../log.ts';
import { showFailure } from '../showFailure.ts';

/** Data sets are large, and the CLI's copy shows no progress. */
const COPY_TIMEOUT_MS = 6 * 3_600_000;
const LIST_TIMEOUT_MS = 600_000;

/** Brings files and folders of this computer into a folder of an instance; what is there already is replaced only if agreed. */
export async function uploadFiles(
  { brev, log, shells }: { readonly brev: Brev; readonly log: Log; readonly shells: () => Promise<Shells> },
  sources: readonly vscode.Uri[],
  instance: Instance,
  folder: string,
): Promise<void> {
  const local = sources.filter(({ scheme }) => scheme === 'file');
  if (local.length < sources.length) {
    void vscode.window.showWarningMessage(vscode.l10n.t('Only files of this computer can be uploaded.'));
    return;
  }
  await cancellable(vscode.l10n.t('Uploading to {0}', instance.name), async (signal, progress) => {
    // the shell has seen that the instance is on, which copy would not look at: it would start it
    const shell = await (await shells()).shell({ instanceId: instance.id, instanceName: instance.name });
    const there =
      shell.kind === 'ok'
        ? await listFolder(shell.value, folder, { timeoutMs: LIST_TIMEOUT_MS, signal })
        : shell;
    if (there.kind !== 'ok') {
      if (there.kind === 'failed') {
        void showFailure(there.failure, log, instance.id);
      }
      return;
    }
    const taken = new Set(there.value.entries.map(({ name }) => name));
    const replaced = local.map(({ fsPath }) => path.basename(fsPath)).filter((name) => taken.has(name));
    if (replaced.length > 0 && !(await agreesToReplace(instance, folder, replaced))) {
      return;
    }
    for (const { fsPath } of local) {
      progress.report({ message: path.basename(fsPath) });
      const command = copyToInstance(fsPath, instance.name, there.value.path, COPY_TIMEOUT_MS);
      const copied = command.kind === 'ok' ? await brev.execute(command.value, signal) : command;
      if (copied.kind !== 'ok') {
        if (copied.kind === 'failed') {
          void showFailure(copied.failure, log, instance.id);
        }
        return;
      }
    }
    void vscode.window.showInformationMessage(
      local.length === 1
        ? vscode.l10n.t('{0} is in {1} on {2}.', path.basename(local[0]?.fsPath ?? ''), folder, instance.name)
        : vscode.l10n.t('{0} items are in {1} on {2}.', local.length, folder, instance.name),
    );
  });
}

async function agreesToReplace(
  instance: Instance,
  folder: string,
  names: readonly string[],
): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  return (
    (await vscode.window.showWarningMessage(
      vscode.l10n.t('Replace what is in {0} on {1}?', folder, instance.name),
      { modal: true, detail: vscode.l10n.t('Files of the same name are lost: {0}', names.join(', ')) },
      replace,
    )) === replace
  );
}
