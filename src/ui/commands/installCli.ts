import * as vscode from 'vscode';
import type { Command } from './command.ts';

/** Opens the page that says how to install the CLI. */
export const installCli: Command = {
  id: 'brev.installCli',
  run: async () => {
    await vscode.env.openExternal(vscode.Uri.parse('https://docs.nvidia.com/brev/latest/brev-cli.html'));
  },
};
