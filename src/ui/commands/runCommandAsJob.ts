import * as vscode from 'vscode';
import { askText } from '../quickInput.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { confirmRunning } from './confirmRunning.ts';
import { submitJob } from './submitJob.ts';

/** Runs a command line as a job: it survives the window, its log is kept, and it can be cancelled. */
export const runCommandAsJob: Command = {
  id: 'brev.runCommandAsJob',
  run: async (parts, argument) => {
    const chosen = await chooseInstance(parts, argument, vscode.l10n.t('Run Command as Job'));
    if (chosen === undefined) {
      return;
    }
    const line = await askText({
      title: vscode.l10n.t('Run Command as Job on {0}', chosen.name),
      prompt: vscode.l10n.t('It goes on when this window is closed; its log is kept.'),
      placeholder: 'python prepare_data.py',
      validate: (value) => (value.trim() === '' ? vscode.l10n.t('Type a command.') : undefined),
    });
    const instance = line.kind === 'picked' ? await confirmRunning(parts, chosen) : undefined;
    if (line.kind === 'picked' && instance !== undefined) {
      await submitJob(parts, instance, {
        platform: 'brev',
        work: { kind: 'command', command: line.value },
        specUri: '',
      });
    }
  },
};
