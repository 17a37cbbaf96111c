import * as vscode from 'vscode';
import { askText } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { confirmRunning } from './confirmRunning.ts';

const LAST_COMMAND = 'runCommand.last';

/** Runs one command line on an instance in a terminal. */
export const runCommand: Command = {
  id: 'brev.runCommand',
  run: async (parts, argument) => {
    const instance = await chooseInstance(parts, argument, vscode.l10n.t('Run Command on Instance'));
    if (instance === undefined) {
      return;
    }
    const line = await askText({
      title: vscode.l10n.t('Run Command on {0}', instance.name),
      prompt: vscode.l10n.t(
        'It runs once, in your home directory on the instance, without a terminal of its own.',
      ),
      placeholder: 'nvidia-smi',
      value: parts.memory.get<string>(LAST_COMMAND, ''),
      validate: (value) => (value.trim() === '' ? vscode.l10n.t('Type a command.') : undefined),
    });
    if (line.kind !== 'picked') {
      return;
    }
    await parts.memory.update(LAST_COMMAND, line.value);
    const running = await confirmRunning(parts, instance);
    if (running === undefined) {
      return;
    }
    const opened = await parts.terminals.run(running, line.value);
    if (opened.kind === 'failed') {
      await showFailure(opened.failure, parts.log, instance.id);
    }
  },
};
