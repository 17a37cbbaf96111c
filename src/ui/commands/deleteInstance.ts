import * as vscode from 'vscode';
import { deleteInstance as deleteCommand } from '../../brev/lifecycle.ts';
import { systemClock } from '../../process/clock.ts';
import { formatPrice } from '../price.ts';
import { showFailure } from '../showFailure.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { liveJobsSentence } from './liveJobs.ts';

/** How long the list may still have an instance whose deletion was accepted. */
const GONE_WITHIN_MS = 10 * 60_000;

/** Deletes an instance with everything on it. It stays in the view until the list no longer has it. */
export const deleteInstance: Command = {
  id: 'brev.deleteInstance',
  run: async (parts, argument) => {
    const instance = await chooseInstance(parts, argument, vscode.l10n.t('Delete Instance'));
    if (instance === undefined) {
      return;
    }
    const go = vscode.l10n.t('Delete');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('Delete {0} and everything on it?', instance.name),
      {
        modal: true,
        detail: [
          ...liveJobsSentence(parts, instance),
          vscode.l10n.t(
            'The home directory is lost too: data, checkpoints and results that were not copied elsewhere.',
          ),
          vscode.l10n.t(
            'Billing ({0}) ends when it is gone. This cannot be undone.',
            formatPrice(parts.offers.known(instance.type)?.pricePerHour),
          ),
        ].join('\n'),
      },
      go,
    );
    if (chosen !== go) {
      return;
    }
    const command = deleteCommand(instance.id);
    const outcome = command.kind === 'ok' ? await parts.brev.execute(command.value) : command;
    if (outcome.kind === 'failed') {
      void showFailure(outcome.failure, parts.log, instance.id);
      await parts.store.refresh();
      return;
    }
    parts.readiness.stop(instance.id);
    parts.terminals.closeFor(instance.id);
    watchUntilGone(parts, instance.id, instance.name);
    await parts.store.refresh();
  },
};

/** Accepted isn't deleted: warns once when it takes too long (users.md E, NemoClaw #8924). */
function watchUntilGone(parts: Parameters<Command['run']>[0], id: string, name: string): void {
  const deadline = systemClock.now() + GONE_WITHIN_MS;
  parts.store.expect(`delete:${id}`, () => {
    const gone = parts.store.listing.kind === 'listed' && parts.store.find(id) === undefined;
    if (!gone && systemClock.now() >= deadline) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('{0} was to be deleted, but Brev still lists it. It may still be billing.', name),
      );
      return true;
    }
    return gone;
  });
}
