import * as vscode from 'vscode';
import { pickOne } from '../quickInput.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';

/** What can help when the CLI goes on waiting instead of opening a shell. */
export const helpShell: Command = {
  id: 'brev.helpShell',
  run: async (parts, argument) => {
    const title = vscode.l10n.t('A Shell That Waits');
    const instance = await chooseInstance(parts, argument, title);
    if (instance === undefined) {
      return;
    }
    const node = { kind: 'instance', id: instance.id };
    const picked = await pickOne<() => unknown>(
      { title, placeholder: vscode.l10n.t('What may help {0}', instance.name) },
      async () => [
        {
          label: vscode.l10n.t('Check Whether It Is Ready'),
          description: vscode.l10n.t('says what is missing, if something is'),
          iconPath: new vscode.ThemeIcon('pulse'),
          value: () => vscode.commands.executeCommand('brev.checkReadiness', node),
        },
        {
          label: vscode.l10n.t('Refresh SSH Access'),
          description: 'brev refresh',
          iconPath: new vscode.ThemeIcon('refresh'),
          value: () => parts.terminals.cli('brev refresh', ['refresh']),
        },
        {
          label: vscode.l10n.t('Open Console'),
          description: vscode.l10n.t('what Brev itself says of it'),
          iconPath: new vscode.ThemeIcon('link-external'),
          value: () => vscode.commands.executeCommand('brev.openConsole'),
        },
      ],
    );
    if (picked.kind === 'picked') {
      await picked.value();
    }
  },
};
