import * as vscode from 'vscode';
import type { CreateRequest } from '../../brev/create.ts';
import { freeName, isUsableName, MAX_NAME_LENGTH } from '../../brev/instanceName.ts';
import type { Offer, OfferFilter } from '../../instances/offers.ts';
import { message } from '../../values/message.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';
import { askText, type Choice, type Picked, pickMany, pickOne } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';
import { filterWords, offerChoice, offerChoices } from './offerChoice.ts';
import { editFilter } from './offerFilter.ts';

const FILTER = 'createInstance.filter';
const STEPS = 4;

/** How long an instance is meant to live. */
export type Lifetime = 'reused' | 'ephemeral';

/** What the user wants created, and for how long. */
export interface CreateWish {
  readonly request: CreateRequest;
  readonly lifetime: Lifetime;
}

/** Asks for type, fallbacks, name and lifetime; the price is shown before anything is bought. */
export async function askCreateWish(parts: Parts): Promise<CreateWish | undefined> {
  for (;;) {
    const offer = await pickOffer(parts);
    if (offer === undefined) {
      return undefined;
    }
    for (;;) {
      const fallbacks = await pickFallbacks(parts, offer);
      if (fallbacks.kind === 'back') {
        break;
      }
      if (fallbacks.kind !== 'picked') {
        return undefined;
      }
      const named = await askNameAndLifetime(parts, [offer, ...fallbacks.value]);
      if (named.kind === 'picked') {
        const { name, lifetime } = named.value;
        return { request: { name, types: [offer, ...fallbacks.value] }, lifetime };
      }
      if (named.kind !== 'back') {
        return undefined;
      }
    }
  }
}

async function pickOffer(parts: Parts): Promise<Offer | undefined> {
  for (;;) {
    const filter = parts.memory.get<OfferFilter>(FILTER, {});
    const words = filterWords(filter);
    const picked = await pickOne<Offer | 'multiNode' | 'clear'>(
      {
        title: vscode.l10n.t('Create Instance: GPU Type'),
        step: 1,
        totalSteps: STEPS,
        placeholder:
          words === ''
            ? vscode.l10n.t('Type to search by GPU, price, provider or type')
            : vscode.l10n.t('Only {0}. Type to search', words),
        buttons: [{ id: 'filter', icon: 'filter', tooltip: vscode.l10n.t('Filter…') }],
      },
      async () => {
        const offers = await parts.offers.load();
        if (offers.kind !== 'ok') {
          if (offers.kind === 'failed') {
            void showFailure(offers.failure, parts.log);
          }
          return undefined;
        }
        const choices: readonly Choice<Offer | 'multiNode' | 'clear'>[] = offerChoices(offers.value, filter);
        const none: Choice<'clear'>[] =
          choices.length > 0
            ? []
            : [
                {
                  label: vscode.l10n.t('No type matches the filter: show all types'),
                  alwaysShow: true,
                  value: 'clear',
                },
              ];
        return [
          ...choices,
          ...none,
          { label: '', kind: vscode.QuickPickItemKind.Separator },
          {
            label: vscode.l10n.t('More than one machine…'),
            iconPath: new vscode.ThemeIcon('server'),
            value: 'multiNode',
          },
        ];
      },
    );
    if (picked.kind === 'button') {
      const offers = await parts.offers.load();
      if (offers.kind === 'ok') {
        await parts.memory.update(FILTER, await editFilter(offers.value, filter));
      }
    } else if (picked.kind !== 'picked') {
      return undefined;
    } else if (picked.value === 'clear') {
      await parts.memory.update(FILTER, {});
    } else if (picked.value === 'multiNode') {
      await explainMultiNode(parts);
      return undefined;
    } else {
      return picked.value;
    }
  }
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

/** Other types to try, in order of price, when the first one has no capacity. */
function pickFallbacks(parts: Parts, first: Offer): ReturnType<typeof pickMany<Offer>> {
  return pickMany<Offer>(
    {
      title: vscode.l10n.t('Create Instance: Fallbacks for {0}', first.type),
      step: 2,
      totalSteps: STEPS,
      back: true,
      placeholder: vscode.l10n.t('Types to try, in this order, when it is sold out. None: press Enter'),
    },
    async () => {
      const offers = await parts.offers.load();
      const others = offers.kind === 'ok' ? offers.value.filter((offer) => offer.type !== first.type) : [];
      const similar = others.filter(
        (offer) =>
          (offer.gpu === undefined) === (first.gpu === undefined) &&
          (offer.gpu?.vramGb ?? 0) >= (first.gpu?.vramGb ?? 0) &&
          (offer.gpu?.count ?? 0) >= (first.gpu?.count ?? 0),
      );
      const same = similar.filter((offer) => offer.gpu?.name === first.gpu?.name);
      return [...same, ...similar.filter((offer) => !same.includes(offer))].map(offerChoice);
    },
  );
}

async function askNameAndLifetime(
  parts: Parts,
  offers: readonly Offer[],
): Promise<Picked<{ readonly name: string; readonly lifetime: Lifetime }>> {
  for (;;) {
    const name = await askName(parts, offers);
    if (name.kind !== 'picked') {
      return name;
    }
    const lifetime = await askLifetime(offers);
    if (lifetime.kind === 'picked') {
      return { kind: 'picked', value: { name: name.value, lifetime: lifetime.value } };
    }
    if (lifetime.kind !== 'back') {
      return lifetime;
    }
  }
}

function askLifetime(offers: readonly Offer[]): Promise<Picked<Lifetime>> {
  const price = priceWords(offers);
  return pickOne<Lifetime>(
    {
      title: vscode.l10n.t('Create Instance: Lifetime'),
      step: 4,
      totalSteps: STEPS,
      back: true,
      placeholder: vscode.l10n.t('Enter creates it: {0}, billed from then on', price),
    },
    async () => [
      {
        label: vscode.l10n.t('Keep until I delete it'),
        detail: vscode.l10n.t('For many jobs. {0} until you stop or delete it.', price),
        iconPath: new vscode.ThemeIcon('vm'),
        value: 'reused',
      },
      {
        label: vscode.l10n.t('Ephemeral: for one job'),
        detail: vscode.l10n.t('When its job has ended you are asked to save the results and delete it.'),
        iconPath: new vscode.ThemeIcon('clock'),
        value: 'ephemeral',
      },
    ],
  );
}

function priceWords(offers: readonly Offer[]): string {
  const prices = offers.map((offer) => offer.pricePerHour);
  const known = prices.filter((price) => price !== undefined);
  if (known.length < prices.length) {
    return vscode.l10n.t('price unknown');
  }
  return offers.length === 1
    ? formatPrice(known[0])
    : vscode.l10n.t('up to {0}', formatPrice(Math.max(...known)));
}

function askName(parts: Parts, offers: readonly Offer[]): ReturnType<typeof askText> {
  const all = parts.store.instances;
  // one that is being deleted may be waited for
  const taken = all.filter(({ status }) => status !== 'deleting').map(({ name }) => name);
  return askText({
    title: vscode.l10n.t('Create Instance: Name'),
    step: 3,
    totalSteps: STEPS,
    back: true,
    value: freeName(
      `tao-${(offers[0]?.gpu?.name ?? 'cpu').toLowerCase()}`,
      all.map(({ name }) => name),
    ),
    prompt: vscode.l10n.t('{0}, billed until you delete it.', priceWords(offers)),
    validate: (name) => nameProblem(name, taken),
  });
}

function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === '') {
    return vscode.l10n.t('Type a name.');
  }
  if (!isUsableName(name)) {
    return vscode.l10n.t(
      'Start with a letter or digit; then letters, digits, hyphens, underscores and dots, {0} characters at most.',
      MAX_NAME_LENGTH,
    );
  }
  return taken.includes(name) ? vscode.l10n.t('There is already an instance named {0}.', name) : undefined;
}
