import * as vscode from 'vscode';
import { start } from '../../brev/lifecycle.ts';
import type { Instance } from '../../instances/instance.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';
import { showFailure } from '../showFailure.ts';
import { chooseInstances } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { byName, namesOf, priceOf } from './lifecycle.ts';

/** Starts stopped instances and watches until they are ready. */
export const startInstance: Command = {
  id: 'brev.startInstance',
  run: async (parts, argument, selected) => {
    const instances = await chooseInstances(parts, argument, selected, vscode.l10n.t('Start Instance'));
    if (instances.length > 0) {
      await startNow(parts, instances);
    }
  },
};

/** Asks, with the price, and starts. */
export async function startNow(
  parts: Parts,
  instances: readonly Instance[],
  because?: string,
): Promise<void> {
  await parts.offers.load();
  const go = vscode.l10n.t('Start');
  const question = vscode.l10n.t('Start {0}?', namesOf(instances));
  const chosen = await vscode.window.showInformationMessage(
    because === undefined ? question : `${because} ${question}`,
    {
      modal: true,
      detail: vscode.l10n.t(
        'Billing by the hour begins again: {0}. Starting takes 2 to 5 minutes.',
        formatPrice(priceOf(parts, instances)),
      ),
    },
    go,
  );
  if (chosen === go) {
    await Promise.all(instances.map((instance) => startOne(parts, instance)));
  }
}

async function startOne(parts: Parts, instance: Instance): Promise<void> {
  const command = start(instance.id);
  const outcome = command.kind === 'ok' ? await parts.brev.execute(command.value) : command;
  if (outcome.kind === 'failed' && outcome.failure.kind !== 'instanceStarting') {
    await parts.store.refresh();
    await offerRetry(parts, instance, outcome.failure);
    return;
  }
  // somebody else may have started it a moment before: that is no failure, its progress is what counts
  parts.readiness.watch(instance.id, true);
}

/** A start that found no capacity is tried again, never answered with a delete: the data is on that machine. */
async function offerRetry(
  parts: Parts,
  instance: Instance,
  failure: Parameters<typeof showFailure>[0],
): Promise<void> {
  if (failure.kind !== 'noCapacity') {
    await showFailure(byName(failure, instance), parts.log, instance.id);
    return;
  }
  const retry = vscode.l10n.t('Try Again');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} could not be started: the provider has no such machine free now. Its disk is kept; try again later.',
      instance.name,
    ),
    retry,
  );
  if (chosen === retry) {
    await startOne(parts, instance);
  }
}
