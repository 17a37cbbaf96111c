import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { copyFromInstance } from '../../brev/copy.ts';
import { downloadFile as download } from '../../remote/downloadFile.ts';
import type { Outcome } from '../../values/outcome.ts';
import { ok } from '../../values/outcome.ts';
import { cancellable } from '../cancellable.ts';
import { type FileNode, fileNodeFrom } from '../files/fileNode.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';
import type { Command } from './command.ts';

const COPY_TIMEOUT_MS = 6 * 3_600_000;

/** Copies a file or a folder of an instance to this computer. */
export const downloadFile: Command = {
  id: 'brev.downloadFile',
  run: async (parts, argument) => {
    const node = fileNodeFrom(argument);
    const target = node === undefined ? undefined : await askTarget(node);
    if (node === undefined || target === undefined) {
      return;
    }
    const outcome = await cancellable(vscode.l10n.t('Downloading {0}', node.entry.name), async (signal) => {
      return fetch(parts, node, target.fsPath, signal);
    });
    if (outcome.kind === 'failed') {
      await showFailure(outcome.failure, parts.log, node.instanceId);
    } else if (outcome.kind === 'ok') {
      await tell(target, node);
    }
  },
};

async function askTarget(node: FileNode): Promise<vscode.Uri | undefined> {
  if (node.entry.kind === 'file') {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    return vscode.window.showSaveDialog({
      title: vscode.l10n.t('Download {0}', node.entry.name),
      ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, node.entry.name) }),
    });
  }
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Where to Save {0}', node.entry.name),
    openLabel: vscode.l10n.t('Download Here'),
    canSelectFiles: false,
    canSelectFolders: true,
  });
  const target = chosen?.[0] === undefined ? undefined : vscode.Uri.joinPath(chosen[0], node.entry.name);
  return target === undefined || (await mayReplace(target)) ? target : undefined;
}

/** The dialog for a file asks by itself; into a folder that is there the CLI copies without a word. */
async function mayReplace(folder: vscode.Uri): Promise<boolean> {
  if (!existsSync(folder.fsPath)) {
    return true;
  }
  const replace = vscode.l10n.t('Replace');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Replace what is in {0}?', folder.fsPath),
    { modal: true, detail: vscode.l10n.t('What has the same name on the instance is lost here.') },
    replace,
  );
  return chosen === replace;
}

/** A file by our own resumable way; a folder by the CLI's copy, after a look that the instance is on: it would start it. */
async function fetch(
  parts: Parts,
  node: FileNode,
  target: string,
  signal: AbortSignal,
): Promise<Outcome<unknown>> {
  const instanceName = parts.store.find(node.instanceId)?.name ?? '';
  const shell = await (await parts.shells()).shell({ instanceId: node.instanceId, instanceName });
  if (shell.kind !== 'ok') {
    return shell;
  }
  if (node.entry.kind === 'file') {
    return download(shell.value, node.path, target, { timeoutMs: COPY_TIMEOUT_MS, signal });
  }
  await mkdir(path.dirname(target), { recursive: true });
  const command = copyFromInstance(instanceName, node.path, path.dirname(target), COPY_TIMEOUT_MS);
  const copied = command.kind === 'ok' ? await parts.brev.execute(command.value, signal) : command;
  return copied.kind === 'ok' ? ok(undefined) : copied;
}

async function tell(target: vscode.Uri, node: FileNode): Promise<void> {
  const open = node.entry.kind === 'file' ? vscode.l10n.t('Open') : vscode.l10n.t('Show in Folder');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('{0} is at {1}.', node.entry.name, target.fsPath),
    open,
  );
  if (chosen === open) {
    await vscode.commands.executeCommand(
      node.entry.kind === 'file' ? 'vscode.open' : 'revealFileInOS',
      target,
    );
  }
}
