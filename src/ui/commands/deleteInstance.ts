import * as vscode from 'vscode';
import { deleteInstance as deleteCommand } from '../../brev/lifecycle.ts';
import type { Instance } from '../../instances/instance.ts';
import { systemClock } from '../../process/clock.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';
import { chooseInstances } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { forEachInstance, namesOf, priceOf } from './lifecycle.ts';
import { liveJobsSentence } from './liveJobs.ts';

/** How long the list may still have an instance whose deletion was accepted. */
const GONE_WITHIN_MS = 10 * 60_000;

/** Deletes instances with everything on them. Each stays in the view until the list no longer has it. */
export const deleteInstance: Command = {
  id: 'brev.deleteInstance',
  run: async (parts, argument, selected) => {
    const instances = await chooseInstances(parts, argument, selected, vscode.l10n.t('Delete Instance'));
    if (instances.length === 0) {
      return;
    }
    const go = vscode.l10n.t('Delete');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('Delete {0} and everything on it?', namesOf(instances)),
      {
        modal: true,
        detail: [
          ...liveJobsSentence(parts, instances),
          vscode.l10n.t(
            'The home directory is lost too: data, checkpoints and results that were not copied elsewhere.',
          ),
          vscode.l10n.t(
            'Billing ({0}) ends when it is gone. This cannot be undone.',
            formatPrice(priceOf(parts, instances)),
          ),
        ].join('\n'),
      },
      go,
    );
    if (chosen === go) {
      await deleteNow(parts, instances);
    }
  },
};

/** Deletes without a question: somebody has asked before. */
export async function deleteNow(parts: Parts, instances: readonly Instance[]): Promise<void> {
  for (const instance of await forEachInstance(parts, instances, vscode.l10n.t('Deleting'), deleteCommand)) {
    parts.readiness.stop(instance.id);
    parts.terminals.closeFor(instance.id);
    await parts.wishes.forget(instance.id);
    watchUntilGone(parts, instance);
  }
  await parts.store.refresh();
}

/** Accepted isn't deleted: warns once when it takes too long (users.md E, NemoClaw #8924). */
function watchUntilGone(parts: Parts, { id, name }: Instance): void {
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
