import { type Instance, isOn } from './instance.ts';
import type { Listing } from './store.ts';

/**
 * `on` is billed by the hour, `starting` is about to be, if it isn't already; `storage` is a stopped one's disk; for any
 * other state nobody says what it costs.
 */
export type Billing = 'on' | 'starting' | 'storage' | 'unclear';

/** What one instance costs; money in US dollars, times in milliseconds since the epoch. */
export interface CostLine {
  readonly instance: Instance;
  readonly billing: Billing;
  /** Undefined where it isn't known. */
  readonly pricePerHour: number | undefined;
  /** Since when it is known to be on. */
  readonly since: number | undefined;
  /** An estimate: its price for the whole time since then. */
  readonly soFar: number | undefined;
}

/** What some instances cost together. */
export interface CostSum {
  /** The known prices. */
  readonly perHour: number;
  /** How many have a known price, and how many haven't. */
  readonly priced: number;
  readonly unpriced: number;
}

/** What all instances cost now, as far as it is known. */
export interface RunningCost {
  readonly on: CostSum;
  /** What comes to that in a moment. */
  readonly starting: CostSum;
  readonly lines: readonly CostLine[];
  /** When that was so. */
  readonly at: number;
  /** Whether it may have changed since: the last list failed, or is long ago. */
  readonly stale: boolean;
}

export interface CostFacts {
  readonly priceOf: (type: string) => number | undefined;
  readonly since: (instanceId: string) => number | undefined;
  readonly now: number;
}

/** Nobody looks while no view is open: an older list is told with its time. */
const OLD_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

/** What runs now and what it costs; undefined while nothing is on or starts, or nothing is known. */
export function runningCost(listing: Listing, facts: CostFacts): RunningCost | undefined {
  if (listing.kind === 'unknown' || listing.kind === 'failed') {
    return undefined;
  }
  const lines = listing.instances.map((instance) => costLine(instance, facts));
  if (lines.every(({ billing }) => billing !== 'on' && billing !== 'starting')) {
    return undefined;
  }
  return {
    on: sumOf(lines, 'on'),
    starting: sumOf(lines, 'starting'),
    lines,
    at: listing.at,
    stale: listing.kind === 'stale' || facts.now - listing.at > OLD_MS,
  };
}

/** What a price comes to in some time, which is none for a clock that went back. */
export function costOf(pricePerHour: number, ms: number): number {
  return (pricePerHour * Math.max(0, ms)) / HOUR_MS;
}

function sumOf(lines: readonly CostLine[], billing: Billing): CostSum {
  const counted = lines.filter((line) => line.billing === billing);
  const prices = counted.flatMap(({ pricePerHour }) => pricePerHour ?? []);
  return {
    perHour: prices.reduce((sum, price) => sum + price, 0),
    priced: prices.length,
    unpriced: counted.length - prices.length,
  };
}

function billingOf(instance: Instance): Billing {
  if (isOn(instance)) {
    return 'on';
  }
  switch (instance.status) {
    case 'starting':
    case 'deploying':
      return 'starting';
    case 'stopped':
      return 'storage';
    default:
      return 'unclear';
  }
}

function costLine(instance: Instance, { now, priceOf, since }: CostFacts): CostLine {
  const billing = billingOf(instance);
  const pricePerHour = priceOf(instance.type);
  const onSince = billing === 'storage' ? undefined : since(instance.id);
  return {
    instance,
    billing,
    pricePerHour,
    since: onSince,
    soFar:
      pricePerHour === undefined || onSince === undefined ? undefined : costOf(pricePerHour, now - onSince),
  };
}
