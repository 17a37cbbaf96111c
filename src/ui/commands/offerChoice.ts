import * as vscode from 'vscode';
import { filterOffers, type Offer, type OfferFilter } from '../../instances/offers.ts';
import { formatPrice } from '../price.ts';
import type { Choice } from '../quickInput.ts';

/** The offers as a list, grouped by GPU, cheapest group and offer first; machines without a GPU come last. */
export function offerChoices(offers: readonly Offer[], filter: OfferFilter): readonly Choice<Offer>[] {
  const groups = new Map<string, Offer[]>();
  const wanted = filterOffers(offers, filter);
  for (const offer of [
    ...wanted.filter(({ gpu }) => gpu !== undefined),
    ...wanted.filter(({ gpu }) => gpu === undefined),
  ]) {
    const family = offer.gpu?.name ?? vscode.l10n.t('CPU only');
    groups.set(family, [...(groups.get(family) ?? []), offer]);
  }
  return [...groups].flatMap(([family, members]) => [
    { label: family, kind: vscode.QuickPickItemKind.Separator },
    ...members.map(offerChoice),
  ]);
}

/** One offer: what it is, what it costs, who has it. */
export function offerChoice(offer: Offer): Choice<Offer> {
  const gpu =
    offer.gpu === undefined
      ? vscode.l10n.t('{0} CPUs', offer.vcpus)
      : `${offer.gpu.count} × ${offer.gpu.name} ${offer.gpu.vramGb} GB`;
  return {
    label: gpu,
    description: `${formatPrice(offer.pricePerHour)} · ${offer.provider} · ${offer.type}`,
    detail: [
      vscode.l10n.t('{0} CPUs, {1} GB memory', offer.vcpus, offer.ramGb),
      ...(offer.bootSeconds === undefined
        ? []
        : [vscode.l10n.t('boots in about {0} min', Math.ceil(offer.bootSeconds / 60))]),
      ...(offer.stoppable === false ? [vscode.l10n.t('cannot be stopped, only deleted')] : []),
    ].join(' · '),
    value: offer,
  };
}

/** The filter in words; empty when nothing is filtered. */
export function filterWords(filter: OfferFilter): string {
  return [
    ...(filter.gpuName === undefined ? [] : [filter.gpuName]),
    ...(filter.minVramGb === undefined ? [] : [vscode.l10n.t('at least {0} GB', filter.minVramGb)]),
    ...(filter.gpuCount === undefined ? [] : [vscode.l10n.t('{0} GPUs', filter.gpuCount)]),
    ...(filter.provider === undefined ? [] : [filter.provider]),
    ...(filter.maxPricePerHour === undefined
      ? []
      : [vscode.l10n.t('at most {0}', formatPrice(filter.maxPricePerHour))]),
  ].join(', ');
}
