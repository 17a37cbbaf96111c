import * as vscode from 'vscode';
import { filterOffers, type Offer, type OfferFilter } from '../../instances/offers.ts';
import { fitting, offersThatFit } from '../../tao/fit.ts';
import type { Choice } from '../quickInput.ts';
import type { Need } from './need.ts';
import { offerChoice } from './offerChoice.ts';

/** The offers that are large enough, cheapest first, then those of which nobody knows; too small ones are left out. */
export function offersForNeed(
  offers: readonly Offer[],
  filter: OfferFilter,
  { fit }: Need,
): readonly Choice<Offer>[] {
  const wanted = filterOffers(offers, filter);
  const unknown = wanted.filter((offer) => fitting(offer, fit).kind === 'unknown');
  return [
    ...offersThatFit(wanted, fit).map(offerChoice),
    ...(unknown.length === 0
      ? []
      : [
          {
            label: vscode.l10n.t('Not known whether they are large enough'),
            kind: vscode.QuickPickItemKind.Separator,
          },
          ...unknown.map(offerChoice),
        ]),
  ];
}
