import * as vscode from 'vscode';
import type { Offers } from '../../instances/offers.ts';
import { type CostLine, type CostSum, type RunningCost, runningCost } from '../../instances/runningCost.ts';
import type { SeenOn } from '../../instances/seenOn.ts';
import type { InstanceStore } from '../../instances/store.ts';
import { formatAmount, formatPrice } from '../price.ts';
import { duration } from './timelineWords.ts';

/** The estimates grow by the minute. */
const REDRAW_MS = 60_000;

export interface CostStatusOptions {
  readonly store: InstanceStore;
  readonly offers: Offers;
  readonly seenOn: SeenOn;
}

/** The status-bar item that says what runs now and what that costs. It asks nobody: it hears from the store. */
export class CostStatus implements vscode.Disposable {
  readonly #options: CostStatusOptions;
  readonly #item: vscode.StatusBarItem;
  readonly #subscriptions: (() => void)[];
  #redraw: NodeJS.Timeout | undefined;

  constructor(options: CostStatusOptions) {
    this.#options = options;
    this.#item = vscode.window.createStatusBarItem('brev.cost', vscode.StatusBarAlignment.Left, 11);
    this.#item.name = vscode.l10n.t('Brev Cost');
    this.#item.command = 'brev.instances.focus';
    this.#subscriptions = [
      options.store.onChange(() => this.#update()),
      options.offers.onLoad(() => this.#show()),
    ];
    this.#update();
  }

  dispose(): void {
    clearInterval(this.#redraw);
    for (const unsubscribe of this.#subscriptions) {
      unsubscribe();
    }
    this.#item.dispose();
  }

  #update(): void {
    const cost = this.#show();
    if (cost !== undefined && cost.on.unpriced + cost.starting.unpriced > 0) {
      // kept for a while: most calls of this ask nobody
      void this.#options.offers.load();
    }
  }

  #show(): RunningCost | undefined {
    const { offers, seenOn, store } = this.#options;
    const now = Date.now();
    const cost = runningCost(store.listing, {
      priceOf: (type) => offers.known(type)?.pricePerHour,
      since: (id) => seenOn.since(id),
      now,
    });
    clearInterval(this.#redraw);
    if (cost === undefined) {
      this.#item.hide();
      return undefined;
    }
    this.#redraw = setInterval(() => this.#show(), REDRAW_MS);
    const words = costWords(cost);
    this.#item.text = `$(${cost.stale ? 'warning' : 'credit-card'}) ${words}`;
    this.#item.accessibilityInformation = { label: vscode.l10n.t('Brev instances cost {0}', words) };
    this.#item.tooltip = costTooltip(cost, now);
    this.#item.show();
    return cost;
  }
}

function costWords({ at, on, stale, starting }: RunningCost): string {
  const now = sumWords(on);
  const soon = sumWords(starting);
  const sum =
    soon === undefined
      ? (now ?? '')
      : now === undefined
        ? vscode.l10n.t('{0} starting', soon)
        : vscode.l10n.t('{0} + {1} starting', now, soon);
  return stale ? vscode.l10n.t('{0} (as of {1})', sum, new Date(at).toLocaleTimeString()) : sum;
}

/** Undefined for none. */
function sumWords({ perHour, priced, unpriced }: CostSum): string | undefined {
  if (priced + unpriced === 0) {
    return undefined;
  }
  return priced === 0
    ? vscode.l10n.t('{0} of unknown price', unpriced)
    : unpriced === 0
      ? formatPrice(perHour)
      : vscode.l10n.t('{0} + {1} unknown', formatPrice(perHour), unpriced);
}

function costTooltip(cost: RunningCost, now: number): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  text.appendText(vscode.l10n.t('What runs on Brev, as of {0}', new Date(cost.at).toLocaleTimeString()));
  text.appendMarkdown('\n');
  for (const line of cost.lines) {
    text.appendMarkdown('\n- **');
    // names come from outside
    text.appendText(line.instance.name);
    text.appendMarkdown('** ');
    text.appendText(lineWords(line, now));
  }
  if (cost.stale) {
    text.appendMarkdown('\n\n$(warning) ');
    text.appendText(vscode.l10n.t('It may have changed since.'));
  }
  text.appendMarkdown('\n\n');
  text.appendText(
    vscode.l10n.t(
      'Amounts are estimates: the price by the hour for the time since the instance was first seen on. Click to see the instances.',
    ),
  );
  return text;
}

function lineWords({ billing, instance, pricePerHour, since, soFar }: CostLine, now: number): string {
  switch (billing) {
    case 'storage':
      return vscode.l10n.t('stopped: storage only');
    case 'starting':
      return vscode.l10n.t(
        '{0}: soon costs {1}, if it does not already',
        instance.reported.status,
        formatPrice(pricePerHour),
      );
    case 'unclear':
      return vscode.l10n.t(
        '{0}: not counted, but may be billed ({1})',
        instance.reported.status || '?',
        formatPrice(pricePerHour),
      );
    case 'on': {
      const price = formatPrice(pricePerHour);
      if (since === undefined) {
        return price;
      }
      const seen = vscode.l10n.t(
        'seen on since {0} ({1})',
        new Date(since).toLocaleString(),
        duration(now - since),
      );
      return soFar === undefined
        ? `${price} · ${seen}`
        : `${price} · ${seen} · ${vscode.l10n.t('about {0} so far', formatAmount(soFar))}`;
    }
  }
}
