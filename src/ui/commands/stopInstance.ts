import * as vscode from 'vscode';
import { stop } from '../../brev/lifecycle.ts';
import { chooseInstances } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { forEachInstance, namesOf } from './lifecycle.ts';
import { liveJobsSentence } from './liveJobs.ts';

/** Stops instances: their home directories stay, their jobs end. */
export const stopInstance: Command = {
  id: 'brev.stopInstance',
  run: async (parts, argument, selected) => {
    const instances = await chooseInstances(parts, argument, selected, vscode.l10n.t('Stop Instance'));
    if (instances.length === 0) {
      return;
    }
    await parts.offers.load();
    const notStoppable = instances.filter(({ type }) => parts.offers.known(type)?.stoppable === false);
    const go = vscode.l10n.t('Stop');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('Stop {0}?', namesOf(instances)),
      {
        modal: true,
        detail: [
          ...liveJobsSentence(parts, instances),
          vscode.l10n.t('The home directory is kept; everything that runs ends.'),
          vscode.l10n.t('The disk goes on costing money until you delete the instance.'),
          vscode.l10n.t(
            'Starting it again can fail when the provider has no such machine free; the data is out of reach until then.',
          ),
          ...(notStoppable.length === 0
            ? []
            : [
                vscode.l10n.t(
                  'Its type probably cannot be stopped, and only deleting it ends the billing: {0}',
                  namesOf(notStoppable),
                ),
              ]),
        ].join('\n'),
      },
      go,
    );
    if (chosen !== go) {
      return;
    }
    const stopped = await forEachInstance(parts, instances, vscode.l10n.t('Stopping'), stop);
    for (const { id } of stopped) {
      parts.readiness.stop(id);
      parts.store.expect(`stop:${id}`, () => parts.store.find(id)?.status === 'stopped');
    }
    await parts.store.refresh();
  },
};
