import type { Brev } from '../brev/brev.ts';
import { type OfferRow, search } from '../brev/search.ts';
import type { Clock } from '../process/clock.ts';
import { Emitter, type Listen } from '../values/emitter.ts';
import { type Outcome, ok } from '../values/outcome.ts';

/** One type that can be rented, and its price in US dollars an hour where it is known. */
export interface Offer {
  readonly type: string;
  readonly cloud: string;
  readonly provider: string;
  /** Undefined for machines without a GPU. */
  readonly gpu: { readonly name: string; readonly count: number; readonly vramGb: number } | undefined;
  readonly vcpus: number;
  readonly ramGb: number;
  readonly diskGb: { readonly min: number; readonly max: number };
  readonly bootSeconds: number | undefined;
  readonly stoppable: boolean | undefined;
  readonly pricePerHour: number | undefined;
}

/** Prices change seldom, and each search downloads the whole catalogue. */
const FRESH_MS = 10 * 60_000;

/** The types that can be rented, fetched when first asked for. */
export class Offers {
  readonly #brev: Pick<Brev, 'execute'>;
  readonly #clock: Clock;
  readonly #loaded = new Emitter<void>();
  #last: { readonly offers: readonly Offer[]; readonly at: number } | undefined;
  #running: Promise<Outcome<readonly Offer[]>> | undefined;

  /** Tells when prices have become known. */
  readonly onLoad: Listen<void> = this.#loaded.listen;

  constructor(brev: Pick<Brev, 'execute'>, clock: Clock) {
    this.#brev = brev;
    this.#clock = clock;
  }

  /** All offers, those without a GPU too, cheapest first; calls at the same time share one search. */
  load(): Promise<Outcome<readonly Offer[]>> {
    if (this.#last !== undefined && this.#clock.now() - this.#last.at < FRESH_MS) {
      return Promise.resolve(ok(this.#last.offers));
    }
    this.#running ??= this.#search().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** All that is known without asking anybody, cheapest first. */
  get latest(): readonly Offer[] {
    return this.#last?.offers ?? [];
  }

  /** What is known of a type without asking anybody. */
  known(type: string): Offer | undefined {
    return this.#last?.offers.find((offer) => offer.type === type);
  }

  async #search(): Promise<Outcome<readonly Offer[]>> {
    const [gpu, cpu] = await Promise.all([
      this.#brev.execute(search('gpu')),
      this.#brev.execute(search('cpu')),
    ]);
    if (gpu.kind !== 'ok') {
      return gpu;
    }
    // machines without a GPU are a supplement: their absence must not hide the GPUs
    const offers = mergeOffers([...gpu.value, ...(cpu.kind === 'ok' ? cpu.value : [])]);
    this.#last = { offers, at: this.#clock.now() };
    this.#loaded.emit();
    return ok(offers);
  }
}

/** One offer a type: the search has one row for each of a type's GPU entries. */
export function mergeOffers(rows: readonly OfferRow[]): readonly Offer[] {
  const byType = new Map<string, Offer>();
  for (const row of rows) {
    if (!byType.has(row.type)) {
      byType.set(row.type, toOffer(row));
    }
  }
  return [...byType.values()].sort(byPrice);
}

function toOffer(row: OfferRow): Offer {
  const hasGpu = row.gpu_count > 0 && row.gpu_name !== '-' && row.gpu_name !== '';
  return {
    type: row.type,
    cloud: row.cloud,
    provider: row.provider,
    gpu: hasGpu ? { name: row.gpu_name, count: row.gpu_count, vramGb: row.vram_per_gpu_gb } : undefined,
    vcpus: row.vcpus,
    ramGb: row.ram_gb,
    diskGb: { min: row.disk_min_gb, max: row.disk_max_gb },
    bootSeconds: row.boot_time_seconds > 0 ? row.boot_time_seconds : undefined,
    stoppable: row.stoppable,
    // zero is no price that anybody offers
    pricePerHour: row.price_per_hour !== undefined && row.price_per_hour > 0 ? row.price_per_hour : undefined,
  };
}

function byPrice(a: Offer, b: Offer): number {
  return (a.pricePerHour ?? Number.POSITIVE_INFINITY) - (b.pricePerHour ?? Number.POSITIVE_INFINITY);
}

/** What a list of offers is narrowed by; sizes in GB, price in US dollars an hour. */
export interface OfferFilter {
  readonly gpuName?: string;
  readonly minVramGb?: number;
  readonly gpuCount?: number;
  readonly provider?: string;
  readonly maxPricePerHour?: number;
}

/** The offers that match every part of the filter; an unknown price matches no price limit. */
export function filterOffers(offers: readonly Offer[], filter: OfferFilter): readonly Offer[] {
  return offers.filter(
    (offer) =>
      (filter.gpuName === undefined || offer.gpu?.name.toLowerCase() === filter.gpuName.toLowerCase()) &&
      (filter.minVramGb === undefined || (offer.gpu?.vramGb ?? 0) >= filter.minVramGb) &&
      (filter.gpuCount === undefined || offer.gpu?.count === filter.gpuCount) &&
      (filter.provider === undefined || offer.provider === filter.provider) &&
      (filter.maxPricePerHour === undefined ||
        (offer.pricePerHour !== undefined && offer.pricePerHour <= filter.maxPricePerHour)),
  );
}
