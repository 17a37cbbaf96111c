import * as vscode from 'vscode';
import type { Offer, OfferFilter } from '../../instances/offers.ts';
import { message } from '../../values/message.ts';
import { setContextKey } from '../contextKeys.ts';
import type { Parts } from '../parts.ts';
import { type Choice, pickOne } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';
import { fitSourceWords } from '../specs/fitWords.ts';
import type { Need } from './need.ts';
import { filterWords, offerChoices } from './offerChoice.ts';
import { editFilter } from './offerFilter.ts';
import { offersForNeed } from './offersForNeed.ts';

const FILTER = 'createInstance.filter';

/** Lets the user pick a type: of all of them, or of those that are large enough for a spec. */
export async function pickOffer(
  parts: Parts,
  need: Need | undefined,
  steps: number,
): Promise<Offer | undefined> {
  for (let narrowed = need; ; ) {
    setContextKey('brev.typesThatFit', narrowed !== undefined);
    const picked = await pickOnce(parts, narrowed, steps);
    setContextKey('brev.typesThatFit', false);
    switch (picked.kind) {
      case 'offer':
        return picked.offer;
      case 'showAll':
        narrowed = undefined;
        break;
      case 'again':
        break;
      case 'left':
        return undefined;
    }
  }
}

type PickedOffer =
  | { readonly kind: 'offer'; readonly offer: Offer }
  | { readonly kind: 'showAll' | 'again' | 'left' };

async function pickOnce(parts: Parts, need: Need | undefined, steps: number): Promise<PickedOffer> {
  const filter = parts.memory.get<OfferFilter>(FILTER, {});
  const picked = await pickOne<Offer | 'multiNode' | 'clear' | 'all'>(
    {
      title: vscode.l10n.t('Create Instance: GPU Type'),
      step: 1,
      totalSteps: steps,
      placeholder: placeholder(filterWords(filter), need),
      buttons: [
        ...(need === undefined
          ? []
          : [{ id: 'all', icon: 'list-unordered', tooltip: vscode.l10n.t('Show all types (Alt+A)') }]),
        { id: 'filter', icon: 'filter', tooltip: vscode.l10n.t('Filter…') },
      ],
    },
    async () => {
      const offers = await parts.offers.load();
      if (offers.kind !== 'ok') {
        if (offers.kind === 'failed') {
          void showFailure(offers.failure, parts.log);
        }
        return undefined;
      }
      const choices =
        need === undefined ? offerChoices(offers.value, filter) : offersForNeed(offers.value, filter, need);
      return [
        ...(need === undefined ? [] : [needLine(need)]),
        ...choices,
        ...(choices.length > 0 ? [] : [noneFits(need)]),
        { label: '', kind: vscode.QuickPickItemKind.Separator },
        {
          label: vscode.l10n.t('More than one machine…'),
          iconPath: new vscode.ThemeIcon('server'),
          value: 'multiNode' as const,
        },
      ];
    },
  );
  if (picked.kind === 'button') {
    if (picked.id === 'all') {
      return { kind: 'showAll' };
    }
    const offers = await parts.offers.load();
    if (offers.kind === 'ok') {
      await parts.memory.update(FILTER, await editFilter(offers.value, filter));
    }
    return { kind: 'again' };
  }
  if (picked.kind !== 'picked') {
    return { kind: 'left' };
  }
  switch (picked.value) {
    case 'all':
      return { kind: 'showAll' };
    case 'clear':
      await parts.memory.update(FILTER, {});
      return { kind: 'again' };
    case 'multiNode':
      await explainMultiNode(parts);
      return { kind: 'left' };
    default:
      return { kind: 'offer', offer: picked.value };
  }
}

function placeholder(filter: string, need: Need | undefined): string {
  if (need !== undefined) {
    return filter === ''
      ? vscode.l10n.t('Only what is large enough for {0}. Alt+A shows all types', need.what)
      : vscode.l10n.t('Only what is large enough for {0}, and {1}. Alt+A shows all types', need.what, filter);
  }
  return filter === ''
    ? vscode.l10n.t('Type to search by GPU, price, provider or type')
    : vscode.l10n.t('Only {0}. Type to search', filter);
}

/** What is looked for, and who says so. */
function needLine({ fit }: Need): Choice<never> {
  return { label: fitSourceWords(fit), kind: vscode.QuickPickItemKind.Separator };
}

function noneFits(need: Need | undefined): Choice<'clear' | 'all'> {
  return need === undefined
    ? {
        label: vscode.l10n.t('No type matches the filter: show all types'),
        alwaysShow: true,
        value: 'clear',
      }
    : {
        label: vscode.l10n.t('No type is large enough, or the filter leaves none: show all types'),
        alwaysShow: true,
        value: 'all',
      };
}

function explainMultiNode(parts: Parts): Promise<void> {
  return showFailure(
    {
      kind: 'multiNode',
      message: message(
        'A Brev instance is one machine with up to 8 GPUs; instances cannot work together on one training. Multi-node training belongs on NVIDIA DGX Cloud Lepton.',
      ),
      action: 'openLeptonPage',
      retrySafe: true,
    },
    parts.log,
  );
}
