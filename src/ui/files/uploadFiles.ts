import path from 'node:path';
import * as vscode from 'vscode';
import type { Brev } from '../../brev/brev.ts';
import { copyToInstance } from '../../brev/copy.ts';
import type { Instance } from '../../instances/instance.ts';
import { prepareUpload } from '../../remote/prepareUpload.ts';
import type { Shells } from '../../remote/shells.ts';
import { cancellable } from '../cancellable.ts';
import type { Log } from '../log.ts';
import { showFailure } from '../showFailure.ts';

/** Data sets are large, and the CLI's copy shows no progress. */
const COPY_TIMEOUT_MS = 6 * 3_600_000;
const LOOK_TIMEOUT_MS = 600_000;
/** As many names as a question can show. */
const MOST_NAMED = 10;

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
    const names = local.map(({ fsPath }) => path.basename(fsPath));
    const there =
      shell.kind === 'ok'
        ? await prepareUpload(shell.value, folder, names, { timeoutMs: LOOK_TIMEOUT_MS, signal })
        : shell;
    if (there.kind !== 'ok') {
      if (there.kind === 'failed') {
        void showFailure(there.failure, log, instance.id);
      }
      return;
    }
    const target = there.value.path;
    const taken = new Set(there.value.taken);
    // of two with one name only the later would stay
    const replaced = names.filter((name, index) => taken.has(name) || names.indexOf(name) < index);
    if (replaced.length > 0 && !(await agreesToReplace(instance, target, replaced))) {
      return;
    }
    for (const { fsPath } of local) {
      progress.report({ message: path.basename(fsPath) });
      const command = copyToInstance(fsPath, instance.name, target, COPY_TIMEOUT_MS);
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
        ? vscode.l10n.t('{0} is in {1} on {2}.', names[0] ?? '', target, instance.name)
        : vscode.l10n.t('{0} items are in {1} on {2}.', local.length, target, instance.name),
    );
  });
}

async function agreesToReplace(
  instance: Instance,
  folder: string,
  names: readonly string[],
): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const named = [...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ['…'] : [])].join(', ');
  return (
    (await vscode.window.showWarningMessage(
      vscode.l10n.t('Replace what is in {0} on {1}?', folder, instance.name),
      { modal: true, detail: vscode.l10n.t('Files of the same name are lost: {0}', named) },
      replace,
    )) === replace
  );
}
