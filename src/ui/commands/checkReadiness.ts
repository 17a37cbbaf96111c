import * as vscode from 'vscode';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { confirmRunning } from './confirmRunning.ts';

/** Probes a running instance until a command runs on it, or the deadline. */
export const checkReadiness: Command = {
  id: 'brev.checkReadiness',
  run: async (parts, argument) => {
    const chosen = await chooseInstance(parts, argument, vscode.l10n.t('Check Whether It Is Ready'));
    const instance = chosen === undefined ? undefined : await confirmRunning(parts, chosen);
    if (instance !== undefined) {
      parts.readiness.watch(instance.id, true);
    }
  },
};
