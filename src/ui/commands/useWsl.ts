import * as vscode from 'vscode';
import type { Command } from './command.ts';

const ID = 'brev-instances.brev-instances';

/** Makes the extension run inside WSL, where the CLI is: there is no native one for Windows (brev-cli.md part 14). */
export const useWsl: Command = {
  id: 'brev.useWsl',
  run: async () => {
    const go = vscode.l10n.t('Set It');
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t('Run this extension inside WSL?'),
      {
        modal: true,
        detail: vscode.l10n.t(
          'The Brev CLI exists for Linux and macOS. This writes one setting, remote.extensionKind, so that the extension runs in the WSL window beside the CLI. Then open your folder with "WSL: Reopen Folder in WSL".',
        ),
      },
      go,
    );
    if (chosen !== go) {
      return;
    }
    const configuration = vscode.workspace.getConfiguration('remote');
    const kinds: unknown = configuration.get('extensionKind');
    const others = typeof kinds === 'object' && kinds !== null ? kinds : {};
    await configuration.update(
      'extensionKind',
      { ...others, [ID]: ['workspace'] },
      vscode.ConfigurationTarget.Global,
    );
  },
};
