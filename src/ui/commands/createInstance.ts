import * as vscode from 'vscode';
import type { CreateRequest } from '../../brev/create.ts';
import { freeName, isUsableName, MAX_NAME_LENGTH } from '../../brev/instanceName.ts';
import { type Creation, createInstance as create } from '../../instances/creation.ts';
import type { Offer, OfferFilter } from '../../instances/offers.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';
import { askText, type Choice, pickMany, pickOne } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';
import type { Command } from './command.ts';
import { filterWords, offerChoice, offerChoices } from './offerChoice.ts';
import { editFilter } from './offerFilter.ts';

const FILTER = 'createInstance.filter';
const STEPS = 3;

/** Picks a GPU type, fallbacks and a name, and creates: nothing is bought before the price was shown. */
export const createInstance: Command = {
  id: 'brev.createInstance',
  run: async (parts) => {
    const request = await askRequest(parts);
    if (request !== undefined) {
      await createAndReport(parts, request);
    }
  },
};

async function askRequest(parts: Parts): Promise<CreateRequest | undefined> {
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
      const name = await askName(parts, [offer, ...fallbacks.value]);
      if (name.kind === 'picked') {
        return { name: name.value, types: [offer, ...fallbacks.value] };
      }
      if (name.kind !== 'back') {
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
      message: {
        template:
          'A Brev instance is one machine with up to 8 GPUs; instances cannot work together on one training. Multi-node training belongs on NVIDIA DGX Cloud Lepton.',
        args: [],
      },
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

function askName(parts: Parts, offers: readonly Offer[]): ReturnType<typeof askText> {
  const taken = parts.store.instances.map((instance) => instance.name);
  const dearest = offers.some((offer) => offer.pricePerHour === undefined)
    ? undefined
    : Math.max(...offers.map((offer) => offer.pricePerHour ?? 0));
  const price =
    offers.length === 1
      ? formatPrice(offers[0]?.pricePerHour)
      : vscode.l10n.t('up to {0}', formatPrice(dearest));
  return askText({
    title: vscode.l10n.t('Create Instance: Name'),
    step: 3,
    totalSteps: STEPS,
    back: true,
    value: freeName(`tao-${(offers[0]?.gpu?.name ?? 'cpu').toLowerCase()}`, taken),
    prompt: vscode.l10n.t('Enter creates it: {0}, billed until you delete it.', price),
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

async function createAndReport(parts: Parts, request: CreateRequest): Promise<void> {
  const creation = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Creating {0}', request.name),
      cancellable: true,
    },
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => {
        progress.report({ message: vscode.l10n.t('cancelled; looking what exists…') });
        abort.abort();
      });
      return create(parts.brev, parts.store, request, await parts.placement(), abort.signal);
    },
  );
  await report(parts, request, creation);
}

async function report(parts: Parts, request: CreateRequest, creation: Creation): Promise<void> {
  switch (creation.kind) {
    case 'created':
      // its progress stands in the status bar from here on
      parts.readiness.watch(creation.instance.id, true);
      return;
    case 'createdAnyway': {
      parts.readiness.watch(creation.instance.id, false);
      const keep = vscode.l10n.t('Keep');
      const remove = vscode.l10n.t('Delete…');
      const reason =
        creation.because === 'cancelled'
          ? vscode.l10n.t('You cancelled')
          : localize(creation.because.message);
      const chosen = await vscode.window.showWarningMessage(
        vscode.l10n.t('{0}, but {1} exists, and is billing.', reason, request.name),
        keep,
        remove,
      );
      if (chosen === remove) {
        await vscode.commands.executeCommand('brev.deleteInstance', {
          kind: 'instance',
          id: creation.instance.id,
        });
      }
      return;
    }
    case 'notCreated':
      if (creation.because === 'cancelled') {
        void vscode.window.showInformationMessage(vscode.l10n.t('Cancelled. No instance was created.'));
      } else {
        await showFailure(creation.because, parts.log);
      }
      return;
    case 'unknown':
      await showFailure(creation.because, parts.log);
      return;
  }
}
