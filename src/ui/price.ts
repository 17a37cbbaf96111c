import * as vscode from 'vscode';
import type { Instance } from '../instances/instance.ts';
import type { Offer } from '../instances/offers.ts';

/** `$1.03/h`, or that it isn't known: an unknown price is never shown as zero. */
export function formatPrice(pricePerHour: number | undefined): string {
  return pricePerHour === undefined ? vscode.l10n.t('price unknown') : `$${pricePerHour.toFixed(2)}/h`;
}

/** `$12.30`; less than a cent is no nothing. */
export function formatAmount(dollars: number): string {
  return dollars > 0 && dollars < 0.01 ? '< $0.01' : `$${dollars.toFixed(2)}`;
}

/** What an instance costs in its present state. A stopped one still pays for its disk (users.md E). */
export function formatCost(instance: Instance, offer: Offer | undefined): string {
  return instance.status === 'stopped' ? vscode.l10n.t('storage only') : formatPrice(offer?.pricePerHour);
}

/** `L40S`, `8 × H100`, or the type when the CLI doesn't say which GPU it has. */
export function formatGpu(instance: Instance, offer: Offer | undefined): string {
  if (offer?.gpu !== undefined) {
    return offer.gpu.count === 1 ? offer.gpu.name : `${offer.gpu.count} × ${offer.gpu.name}`;
  }
  if (offer !== undefined && instance.gpu === undefined) {
    return vscode.l10n.t('{0} CPUs, no GPU', offer.vcpus);
  }
  return instance.gpu ?? instance.type;
}
