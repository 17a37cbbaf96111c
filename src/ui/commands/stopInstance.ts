import * as vscode from 'vscode';
import { stop } from '../../brev/lifecycle.ts';
import { showFailure } from '../showFailure.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { liveJobsSentence } from './liveJobs.ts';

/** Stops an instance: its home directory stays, its jobs end. */
export const stopInstance: Command = {
  id: 'brev.stopInstance',
  run: async (parts, argument) => {
    const instance = await chooseInstance(parts, argument, vscode.l10n.t('Stop Instance'));
    if (instance === undefined) {
      return;
    }
    await parts.offers.load();
    const go = vscode.l10n.t('Stop');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('Stop {0}?', instance.name),
      {
        modal: true,
        detail: [
          ...liveJobsSentence(parts, instance),
          vscode.l10n.t('The home directory is kept; everything that runs ends.'),
          vscode.l10n.t('The disk goes on costing money until you delete the instance.'),
          vscode.l10n.t(
            'Starting it again can fail when the provider has no such machine free; the data is out of reach until then.',
          ),
          ...(parts.offers.known(instance.type)?.stoppable === false
            ? [vscode.l10n.t('This type probably cannot be stopped, only deleted.')]
            : []),
        ].join('\n'),
      },
      go,
    );
    if (chosen !== go) {
      return;
    }
    const command = stop(instance.id);
    const outcome = command.kind === 'ok' ? await parts.brev.execute(command.value) : command;
    if (outcome.kind === 'failed') {
      void showFailure(outcome.failure, parts.log, instance.id);
    } else {
      parts.readiness.stop(instance.id);
      parts.store.expect(`stop:${instance.id}`, () => parts.store.find(instance.id)?.status === 'stopped');
    }
    await parts.store.refresh();
  },
};
