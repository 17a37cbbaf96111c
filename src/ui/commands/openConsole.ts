import * as vscode from 'vscode';
import type { Command } from './command.ts';

/** Opens Brev's own web console. */
export const openConsole: Command = {
  id: 'brev.openConsole',
  run: async () => {
    await vscode.env.openExternal(vscode.Uri.parse('https://brev.nvidia.com'));
  },
};
