import * as vscode from 'vscode';
import type { Command } from './command.ts';
import { createAndReport } from './createAndReport.ts';
import { askCreateWish } from './createQuestions.ts';

/** Picks a GPU type, fallbacks, a name and a lifetime, and creates. */
export const createInstance: Command = {
  id: 'brev.createInstance',
  run: async (parts) => {
    await vscode.commands.executeCommand('brev.instances.focus');
    const wish = await askCreateWish(parts);
    if (wish !== undefined) {
      await createAndReport(parts, wish);
    }
  },
};
