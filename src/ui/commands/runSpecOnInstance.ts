import * as vscode from 'vscode';
import { pickOne } from '../quickInput.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { runSpecFile } from './runSpecFile.ts';

const MAX_FILES = 200;

/** Runs a spec file, to be picked, on the instance that was right-clicked. */
export const runSpecOnInstance: Command = {
  id: 'brev.runSpecOnInstance',
  run: async (parts, argument) => {
    const instance = await chooseInstance(parts, argument, vscode.l10n.t('Run Spec'));
    const uri = instance === undefined ? undefined : await pickSpec(instance.name);
    if (instance !== undefined && uri !== undefined) {
      await runSpecFile(parts, { uri, target: instance });
    }
  },
};

async function pickSpec(instanceName: string): Promise<vscode.Uri | undefined> {
  const picked = await pickOne<vscode.Uri | 'browse'>(
    {
      title: vscode.l10n.t('Run Spec on {0}', instanceName),
      placeholder: vscode.l10n.t('Spec file'),
    },
    async () => {
      const files = await vscode.workspace.findFiles(
        '**/*.{yaml,yml}',
        '**/{node_modules,.git,.github}/**',
        MAX_FILES,
      );
      const active = vscode.window.activeTextEditor?.document.uri.toString();
      const sorted = files.sort(
        (a, b) =>
          Number(b.toString() === active) - Number(a.toString() === active) || a.path.localeCompare(b.path),
      );
      return [
        ...sorted.map((file) => ({
          label: vscode.workspace.asRelativePath(file),
          iconPath: vscode.ThemeIcon.File,
          resourceUri: file,
          value: file,
        })),
        {
          label: vscode.l10n.t('Another file…'),
          iconPath: new vscode.ThemeIcon('folder-opened'),
          value: 'browse' as const,
        },
      ];
    },
  );
  if (picked.kind !== 'picked') {
    return undefined;
  }
  if (picked.value !== 'browse') {
    return picked.value;
  }
  const chosen = await vscode.window.showOpenDialog({
    filters: { YAML: ['yaml', 'yml'] },
    canSelectMany: false,
  });
  return chosen?.[0];
}
