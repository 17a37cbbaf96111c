import * as vscode from 'vscode';
import { start } from '../../brev/lifecycle.ts';
import type { Instance } from '../../instances/instance.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';
import { showFailure } from '../showFailure.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';

/** Starts a stopped instance and watches until it is ready. */
export const startInstance: Command = {
  id: 'brev.startInstance',
  run: async (parts, argument) => {
    const instance = await chooseInstance(parts, argument, vscode.l10n.t('Start Instance'));
    if (instance !== undefined) {
      await startNow(parts, instance);
    }
  },
};

/** Asks, with the price, and starts. */
export async function startNow(parts: Parts, instance: Instance, because?: string): Promise<void> {
  const offers = await parts.offers.load();
  const offer = offers.kind === 'ok' ? parts.offers.known(instance.type) : undefined;
  const go = vscode.l10n.t('Start');
  const question = vscode.l10n.t('Start {0}?', instance.name);
  const chosen = await vscode.window.showInformationMessage(
    because === undefined ? question : `${because} ${question}`,
    {
      modal: true,
      detail: vscode.l10n.t(
        'Billing by the hour begins again: {0}. Starting takes 2 to 5 minutes.',
        formatPrice(offer?.pricePerHour),
      ),
    },
    go,
  );
  if (chosen !== go) {
    return;
  }
  const command = start(instance.id);
  const outcome = command.kind === 'ok' ? await parts.brev.execute(command.value) : command;
  if (outcome.kind === 'failed' && outcome.failure.kind !== 'instanceStarting') {
    await showFailure(outcome.failure, parts.log, instance.id);
    await parts.store.refresh();
    return;
  }
  // somebody else may have started it a moment before: that is no failure, its progress is what counts
  parts.readiness.watch(instance.id, true);
}
