import * as vscode from 'vscode';
import type { CreateRequest } from '../../brev/create.ts';
import { freeName, isUsableName, MAX_NAME_LENGTH } from '../../brev/instanceName.ts';
import type { Offer } from '../../instances/offers.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';
import { askText, type Picked, pickMany, pickOne } from '../quickInput.ts';
import type { Need } from './need.ts';
import { offerChoice } from './offerChoice.ts';
import { pickOffer } from './pickOffer.ts';

const STEPS = 4;

/** How long an instance is meant to live. */
export type Lifetime = 'reused' | 'ephemeral';

/** What the user wants created, and for how long. */
export interface CreateWish {
  readonly request: CreateRequest;
  readonly lifetime: Lifetime;
}

/** Asks for type, fallbacks, name and lifetime; the price is shown before anything is bought. */
export async function askCreateWish(parts: Parts, need?: Need): Promise<CreateWish | undefined> {
  for (;;) {
    const offer = await pickOffer(parts, need, STEPS);
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
      placeholder: vscode.l10n.t('Press Enter to create it: {0}, billed from then on', price),
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

export function nameProblem(name: string, taken: readonly string[]): string | undefined {
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
