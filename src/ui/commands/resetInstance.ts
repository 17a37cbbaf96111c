import * as vscode from 'vscode';
import { reset } from '../../brev/lifecycle.ts';
import { chooseInstances } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { forEachInstance, namesOf } from './lifecycle.ts';
import { liveJobsSentence } from './liveJobs.ts';

/** Resets instances: the machine is made anew. */
export const resetInstance: Command = {
  id: 'brev.resetInstance',
  run: async (parts, argument, selected) => {
    const instances = await chooseInstances(parts, argument, selected, vscode.l10n.t('Reset Instance'));
    if (instances.length === 0) {
      return;
    }
    const go = vscode.l10n.t('Reset');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('Reset {0}?', namesOf(instances)),
      {
        modal: true,
        detail: [
          ...liveJobsSentence(parts, instances),
          vscode.l10n.t(
            'The machine is set up anew. Count on losing what is on it: data, checkpoints and results.',
          ),
          vscode.l10n.t('Billing goes on.'),
        ].join('\n'),
      },
      go,
    );
    if (chosen !== go) {
      return;
    }
    for (const { id } of await forEachInstance(parts, instances, vscode.l10n.t('Resetting'), reset)) {
      parts.readiness.watch(id, true);
    }
    await parts.store.refresh();
  },
};
