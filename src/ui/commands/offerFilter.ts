import * as vscode from 'vscode';
import type { Offer, OfferFilter } from '../../instances/offers.ts';
import { formatPrice } from '../price.ts';
import { type Choice, pickOne } from '../quickInput.ts';

type Part = 'gpuName' | 'minVramGb' | 'gpuCount' | 'provider' | 'maxPricePerHour';

/** Lets the user narrow the offers; gives back the new filter, or the old one when nothing was chosen. */
export async function editFilter(offers: readonly Offer[], filter: OfferFilter): Promise<OfferFilter> {
  const title = vscode.l10n.t('Filter GPU Types');
  const noLimit = vscode.l10n.t('any');
  const part = await pickOne<Part | 'clear'>({ title, back: true }, async () => [
    { label: vscode.l10n.t('GPU'), description: filter.gpuName ?? noLimit, value: 'gpuName' },
    {
      label: vscode.l10n.t('Minimum GPU memory'),
      description: filter.minVramGb === undefined ? noLimit : `${filter.minVramGb} GB`,
      value: 'minVramGb',
    },
    {
      label: vscode.l10n.t('Number of GPUs'),
      description: filter.gpuCount?.toString() ?? noLimit,
      value: 'gpuCount',
    },
    { label: vscode.l10n.t('Provider'), description: filter.provider ?? noLimit, value: 'provider' },
    {
      label: vscode.l10n.t('Highest price'),
      description: filter.maxPricePerHour === undefined ? noLimit : formatPrice(filter.maxPricePerHour),
      value: 'maxPricePerHour',
    },
    { label: vscode.l10n.t('Show all types'), iconPath: new vscode.ThemeIcon('clear-all'), value: 'clear' },
  ]);
  if (part.kind !== 'picked') {
    return filter;
  }
  if (part.value === 'clear') {
    return {};
  }
  const chosen: Part = part.value;
  const { [chosen]: _, ...others } = filter;
  const value = await pickOne<OfferFilter>({ title, back: true }, async () => [
    { label: noLimit, value: others },
    ...values(offers, chosen).map(({ label, filter: one }) => ({ label, value: { ...others, ...one } })),
  ]);
  return value.kind === 'picked' ? value.value : filter;
}

/** The values that occur among the offers, as a filter each. */
function values(
  offers: readonly Offer[],
  part: Part,
): readonly (Pick<Choice<never>, 'label'> & { readonly filter: OfferFilter })[] {
  const numbers = (of: (offer: Offer) => number | undefined): number[] =>
    [...new Set(offers.map(of))]
      .filter((value): value is number => value !== undefined && value > 0)
      .sort((x, y) => x - y);
  const names = (of: (offer: Offer) => string | undefined): string[] =>
    [...new Set(offers.map(of))]
      .filter((name): name is string => name !== undefined && name !== '')
      .sort((x, y) => x.localeCompare(y));
  switch (part) {
    case 'gpuName':
      return names((offer) => offer.gpu?.name).map((name) => ({ label: name, filter: { gpuName: name } }));
    case 'provider':
      return names((offer) => offer.provider).map((name) => ({ label: name, filter: { provider: name } }));
    case 'minVramGb':
      return numbers((offer) => offer.gpu?.vramGb).map((gb) => ({
        label: `${gb} GB`,
        filter: { minVramGb: gb },
      }));
    case 'gpuCount':
      return numbers((offer) => offer.gpu?.count).map((count) => ({
        label: String(count),
        filter: { gpuCount: count },
      }));
    case 'maxPricePerHour':
      return [0.5, 1, 2, 5, 10, 20, 50].map((price) => ({
        label: formatPrice(price),
        filter: { maxPricePerHour: price },
      }));
  }
}
