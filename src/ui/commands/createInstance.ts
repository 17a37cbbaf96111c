import * as vscode from 'vscode';
import type { Command } from './command.ts';
import { createAndReport } from './createAndReport.ts';
import { askCreateWish } from './createQuestions.ts';
import { needFrom } from './need.ts';

/** Picks a GPU type, of those that fit where a spec says what it needs, fallbacks, a name and a lifetime, and creates. */
export const createInstance: Command = {
  id: 'brev.createInstance',
  run: async (parts, argument) => {
    const need = await needFrom(parts, argument);
    await vscode.commands.executeCommand('brev.instances.focus');
    const wish = await askCreateWish(parts, need);
    if (wish !== undefined) {
      await createAndReport(parts, wish);
    }
  },
};
