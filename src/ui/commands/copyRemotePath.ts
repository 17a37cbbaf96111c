import * as vscode from 'vscode';
import { fileNodeFrom } from '../files/fileNode.ts';
import type { Command } from './command.ts';

/** Copies the absolute path that a file has on its instance. */
export const copyRemotePath: Command = {
  id: 'brev.copyRemotePath',
  run: async (_parts, argument) => {
    const node = fileNodeFrom(argument);
    if (node !== undefined) {
      await vscode.env.clipboard.writeText(node.path);
    }
  },
};
