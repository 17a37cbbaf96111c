import * as vscode from 'vscode';
import { fileNodeFrom } from '../files/fileNode.ts';
import { uploadFiles } from '../files/uploadFiles.ts';
import type { Parts } from '../parts.ts';
import { askText } from '../quickInput.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { confirmRunning } from './confirmRunning.ts';

/** Copies files and folders of this computer onto an instance: those that the explorer passed, or those that are picked. */
export const uploadToInstance: Command = {
  id: 'brev.uploadToInstance',
  run: async (parts, argument, selected) => {
    const passed = urisFrom(argument, selected);
    const node = fileNodeFrom(argument);
    const shown = parts.files.instance;
    if (shown !== undefined && passed.length === 0 && (node !== undefined || argument === undefined)) {
      const folder = parts.files.folderOf(node);
      const sources = await askSources(shown.name, folder);
      if (sources.length > 0) {
        await uploadFiles(parts, sources, shown, folder);
        parts.files.refresh();
      }
      return;
    }
    const chosen = await chooseInstance(
      parts,
      passed.length > 0 ? undefined : argument,
      vscode.l10n.t('Upload to Instance'),
    );
    const instance = chosen === undefined ? undefined : await confirmRunning(parts, chosen);
    if (instance === undefined) {
      return;
    }
    const folder = await askFolder(parts, instance.name);
    const sources =
      folder === undefined ? [] : passed.length > 0 ? passed : await askSources(instance.name, folder);
    if (folder !== undefined && sources.length > 0) {
      await uploadFiles(parts, sources, instance, folder);
    }
  },
};

function urisFrom(argument: unknown, selected: unknown): readonly vscode.Uri[] {
  const all = Array.isArray(selected) && selected.length > 0 ? selected : [argument];
  return all.filter((each) => each instanceof vscode.Uri);
}

async function askSources(instanceName: string, folder: string): Promise<readonly vscode.Uri[]> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Upload to {0} on {1}', folder, instanceName),
    openLabel: vscode.l10n.t('Upload'),
    canSelectFiles: true,
    canSelectFolders: true,
    canSelectMany: true,
  });
  return chosen ?? [];
}

const LAST_FOLDER = 'upload.folder';

/** Jobs see `data` of the home directory as `/data`. */
async function askFolder(parts: Parts, instanceName: string): Promise<string | undefined> {
  const typed = await askText({
    title: vscode.l10n.t('Upload to {0}', instanceName),
    prompt: vscode.l10n.t('The folder on the instance, from the home directory on; jobs see data as /data'),
    placeholder: 'data',
    value: parts.memory.get<string>(LAST_FOLDER) ?? '',
    validate: () => undefined,
  });
  if (typed.kind !== 'picked') {
    return undefined;
  }
  const folder = typed.value.trim().replace(/^~\/?/, '');
  await parts.memory.update(LAST_FOLDER, folder);
  return folder;
}
