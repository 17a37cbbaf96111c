import type { Offer } from '../instances/offers.ts';
import { builtInCatalogue } from '../tao/catalogue/builtIn.ts';
import { findModel } from '../tao/catalogue/catalogue.ts';
import { fitOf, offersThatFit } from '../tao/fit.ts';
import type { Step } from './plan.ts';

/** So many types are tried one after another: each may be sold out. */
const CHAIN = 3;
/** A step without GPUs still reads and writes data sets. */
const CPU_STEP = { vcpus: 4, ramGb: 8 } as const;

/** The cheapest types whose price is known and that are large enough for a step, without guessing what nobody says. */
export function fittingTypes(offers: readonly Offer[], step: Step): readonly string[] {
  return suitable(offers, step)
    .filter(({ pricePerHour }) => pricePerHour !== undefined)
    .sort((a, b) => (a.pricePerHour ?? 0) - (b.pricePerHour ?? 0))
    .slice(0, CHAIN)
    .map(({ type }) => type);
}

function suitable(offers: readonly Offer[], { action, gpus, skill }: Step): readonly Offer[] {
  if (gpus === 0 || skill === 'command') {
    const least = typeof gpus === 'number' ? gpus : 0;
    return offers.filter((offer) =>
      least === 0
        ? offer.gpu === undefined && offer.vcpus >= CPU_STEP.vcpus && offer.ramGb >= CPU_STEP.ramGb
        : (offer.gpu?.count ?? 0) >= least,
    );
  }
  const fit = fitOf(findModel(builtInCatalogue, skill), undefined, action);
  return offersThatFit(offers, { ...fit, gpus: gpus === 'all' ? (fit.gpus ?? 1) : gpus });
}
