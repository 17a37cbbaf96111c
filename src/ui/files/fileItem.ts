import * as vscode from 'vscode';
import type { FileNode } from './fileNode.ts';
import { remoteUri } from './remoteUri.ts';

/** The tree item of a file or folder: its icon is the one that the user's icon theme has for it. */
export function fileItem({ entry, instanceId, path }: FileNode): vscode.TreeItem {
  const uri = remoteUri(instanceId, path);
  const isFolder = entry.kind === 'folder';
  const item = new vscode.TreeItem(
    entry.name,
    isFolder ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.id = uri.toString();
  item.resourceUri = uri;
  item.iconPath = isFolder ? vscode.ThemeIcon.Folder : vscode.ThemeIcon.File;
  item.contextValue = `brev.file+${entry.kind}`;
  item.description = isFolder ? '' : formatBytes(entry.bytes);
  item.tooltip = [path, ...(isFolder ? [] : [formatBytes(entry.bytes)]), changed(entry.modifiedAt)].join(
    '\n',
  );
  item.accessibilityInformation = {
    label: isFolder
      ? vscode.l10n.t('Folder {0}', entry.name)
      : vscode.l10n.t('File {0}, {1}', entry.name, formatBytes(entry.bytes)),
  };
  if (entry.kind === 'file') {
    item.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [uri] };
  }
  return item;
}

function changed(modifiedAt: number): string {
  return vscode.l10n.t('Changed {0}', new Date(modifiedAt).toLocaleString());
}

/** `812 bytes`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const) {
    if (bytes >= size) {
      return `${(bytes / size).toFixed(1)} ${unit}`;
    }
  }
  return vscode.l10n.t('{0} bytes', bytes);
}
