import type { Offer } from '../instances/offers.ts';
import { type Message, message } from '../values/message.ts';
import type { CatalogueModel } from './catalogue/catalogue.ts';
import { MAX_GPUS } from './spec/gpuProblems.ts';
import { type SpecView, sectionOf } from './spec/specView.ts';

/** Where a requirement comes from; `chosen` by the user, `measured`: a run that failed for want of it. */
export type FitSource = 'spec' | 'catalogue' | 'chosen' | 'measured' | 'unknown';

/** What a run needs of a machine. Unknown is unknown: nothing is made up for it. */
export interface Fit {
  /** The least number of GPUs; undefined when unknown. */
  readonly gpus: number | undefined;
  readonly gpusFrom: FitSource;
  /** What the catalogue recommends for training; undefined when it doesn't. */
  readonly recommendedGpus: number | undefined;
  /** Of each GPU, in GB; undefined when unknown. */
  readonly minVramGb: number | undefined;
  readonly vramFrom: FitSource;
}

/** Trainings, which the catalogue's numbers are for. */
const TRAININGS = new Set(['train', 'segment_train', 'retrain', 'distill']);

/** What a run of a model needs, by its spec and by the catalogue; either may be unknown. */
export function fitOf(model: CatalogueModel | undefined, spec: SpecView | undefined, action: string): Fit {
  const isTraining = TRAININGS.has(action);
  const inSpec = spec === undefined ? undefined : gpusOfSpec(spec, action);
  const inCatalogue = isTraining ? model?.gpus : undefined;
  const vram = isTraining ? model?.minVramGb : undefined;
  return {
    gpus: inSpec ?? inCatalogue?.min,
    gpusFrom: inSpec !== undefined ? 'spec' : inCatalogue === undefined ? 'unknown' : 'catalogue',
    recommendedGpus: inCatalogue?.recommended,
    minVramGb: vram,
    vramFrom: vram === undefined ? 'unknown' : 'catalogue',
  };
}

/** The same after a run has shown that so much memory a GPU is too little: only more will do. */
export function fitBeyond(fit: Fit, totalGib: number): Fit {
  // a GPU that is sold as 48 GB has 44 to 48 GiB: what is rounded up must not pass for more
  const least = Math.ceil(totalGib * 1.1);
  return fit.minVramGb !== undefined && fit.minVramGb >= least
    ? fit
    : { ...fit, minVramGb: least, vramFrom: 'measured' };
}

function gpusOfSpec(spec: SpecView, action: string): number | undefined {
  const section = sectionOf(action);
  const count = spec.number(`${section}.num_gpus`) ?? spec.number('num_gpus');
  const ids = spec.numbers(`${section}.gpu_ids`) ?? spec.numbers('gpu_ids');
  // a machine must have the GPU with the highest id, too
  const byIds = ids === undefined || ids.length === 0 ? 0 : Math.max(...ids.slice(0, 1000)) + 1;
  const asked = Math.max(count ?? 0, byIds);
  return Number.isInteger(asked) && asked >= 1 && asked <= 10_000 ? asked : undefined;
}

/** Whether a machine is large enough for a run. */
export type Fitting =
  | { readonly kind: 'fits' }
  | { readonly kind: 'tooSmall'; readonly reason: Message }
  | { readonly kind: 'unknown' };

/** Whether an offer, such as that of a running instance, is large enough; an offer's VRAM of 0 is unknown. */
export function fitting({ gpu, type }: Pick<Offer, 'gpu' | 'type'>, { gpus, minVramGb }: Fit): Fitting {
  if (gpu === undefined) {
    return { kind: 'tooSmall', reason: message('{0} has no GPU, and TAO needs one.', type) };
  }
  if (gpus !== undefined && gpu.count < gpus) {
    return {
      kind: 'tooSmall',
      reason:
        gpus > MAX_GPUS
          ? message('The run needs {0} GPUs; an instance has up to {1}.', gpus, MAX_GPUS)
          : message('The run needs {0} GPUs, and {1} has {2}.', gpus, type, gpu.count),
    };
  }
  if (minVramGb !== undefined && gpu.vramGb > 0 && gpu.vramGb < minVramGb) {
    return {
      kind: 'tooSmall',
      reason: message(
        'The run needs GPUs with {0} GB, and those of {1} have {2} GB.',
        minVramGb,
        type,
        gpu.vramGb,
      ),
    };
  }
  const isKnown = minVramGb === undefined || gpu.vramGb > 0;
  return isKnown ? { kind: 'fits' } : { kind: 'unknown' };
}

/** The offers that are large enough for a run, cheapest first; those without a known price last. */
export function offersThatFit(offers: readonly Offer[], fit: Fit): readonly Offer[] {
  return offers
    .filter((offer) => fitting(offer, fit).kind === 'fits')
    .sort(
      (a, b) =>
        (a.pricePerHour ?? Number.MAX_VALUE) - (b.pricePerHour ?? Number.MAX_VALUE) ||
        (a.gpu?.count ?? 0) - (b.gpu?.count ?? 0),
    );
}
