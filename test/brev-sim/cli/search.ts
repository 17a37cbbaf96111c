import { OFFERS, type Offer } from '../cloud/offers.ts';
import { CliError } from './errors.ts';
import type { Flags } from './flags.ts';
import { goJson } from './ls.ts';
import type { Invocation, Run } from './run.ts';
import { reachServer } from './session.ts';
import { table } from './table.ts';

const SORT_KEYS = {
  arch: (offer) => offer.arch,
  'boot-time': (offer) => offer.boot_time_seconds,
  disk: (offer) => offer.disk_max_gb,
  'gpu-count': (offer) => offer.gpu_count,
  price: (offer) => offer.price_per_hour,
  provider: (offer) => offer.provider,
  ram: (offer) => offer.ram_gb,
  'total-vram': (offer) => offer.total_vram_gb,
  type: (offer) => offer.type,
  vcpu: (offer) => offer.vcpus,
  vram: (offer) => offer.vram_per_gpu_gb,
} satisfies Record<string, (offer: Offer) => string | number>;

/** An offer with the disk that a create would ask for. */
export type SizedOffer = Offer & { target_disk_gb: number };

/** `brev search [gpu]`; unknown words are ignored. */
export async function searchGpu(call: Invocation): Promise<void> {
  print(call, 'GPU');
}

/** `brev search cpu` */
export async function searchCpu(call: Invocation): Promise<void> {
  print(call, 'CPU');
}

/** The offers that pass the filters, sorted. */
export function filterOffers(flags: Flags, kind: 'GPU' | 'CPU', floors: Partial<Floors> = {}): SizedOffer[] {
  const sort = flags.text('sort') || 'price';
  const key = sortKey(sort);
  const wanted: Floors = { ...floorsOf(flags), ...floors };
  return OFFERS.filter((offer) => (kind === 'GPU') === offer.gpu_count > 0)
    .filter(
      (offer) => passesText(offer, flags) && passesFloors(offer, wanted) && passesFeatures(offer, flags),
    )
    .map((offer) => ({ ...offer, target_disk_gb: targetDisk(offer, wanted.disk) }))
    .sort((left, right) => compare(key(left), key(right)) * (flags.on('desc') ? -1 : 1));
}

export interface Floors {
  vram: number;
  totalVram: number;
  capability: number;
  ram: number;
  vcpus: number;
  disk: number;
  bootMinutes: number;
}

function floorsOf(flags: Flags): Floors {
  return {
    vram: flags.number('min-vram'),
    totalVram: flags.number('min-total-vram'),
    capability: flags.number('min-capability'),
    ram: flags.number('min-ram'),
    vcpus: flags.number('min-vcpu'),
    disk: flags.number('min-disk'),
    bootMinutes: flags.number('max-boot-time'),
  };
}

function print({ run, flags }: Invocation, kind: 'GPU' | 'CPU'): void {
  const offers = filterOffers(flags, kind);
  reachServer(run, '/v1/instance/types');
  if (run.fault('html') !== undefined)
    throw new CliError("invalid character '<' looking for beginning of value");
  if (flags.on('json')) {
    run.out(`${goJson(offers.map(toJson))}\n`);
    return;
  }
  if (offers.length === 0) {
    if (!run.piped) run.out(`No ${kind} instances match the specified filters\n`);
    return;
  }
  run.out(tableOf(run, offers));
}

/** Floats that are 0 are left out where the contract brackets them. */
function toJson(offer: SizedOffer): Partial<SizedOffer> {
  const {
    disk_price_per_gb_mo,
    boot_time_seconds,
    stoppable,
    rebootable,
    flex_ports,
    target_disk_gb,
    price_per_hour,
    ...head
  } = offer;
  return {
    ...head,
    ...(disk_price_per_gb_mo === 0 ? {} : { disk_price_per_gb_mo }),
    boot_time_seconds,
    stoppable,
    rebootable,
    flex_ports,
    ...(target_disk_gb === 0 ? {} : { target_disk_gb }),
    price_per_hour,
  };
}

function tableOf(run: Run, offers: SizedOffer[]): string {
  const extra = run.piped ? ['TARGET_DISK'] : [];
  const head = [
    'TYPE',
    'CLOUD',
    'GPU',
    'COUNT',
    'VRAM/GPU',
    'VCPUS',
    'RAM',
    'DISK',
    'BOOT',
    'FEATURES',
    '$/HR',
    ...extra,
  ];
  return table(
    head,
    offers.map((offer) => [
      offer.type,
      offer.cloud,
      offer.gpu_name,
      String(offer.gpu_count),
      `${offer.vram_per_gpu_gb}GB`,
      String(offer.vcpus),
      `${offer.ram_gb}GB`,
      offer.disk_min_gb === offer.disk_max_gb
        ? `${offer.disk_min_gb}GB`
        : `${offer.disk_min_gb}-${offer.disk_max_gb}GB`,
      `${Math.ceil(offer.boot_time_seconds / 60)}m`,
      `${offer.stoppable ? 'S' : ''}${offer.rebootable ? 'R' : ''}${offer.flex_ports ? 'P' : ''}`,
      `$${offer.price_per_hour.toFixed(2)}`,
      ...(run.piped ? [String(offer.target_disk_gb)] : []),
    ]),
  );
}

function passesText(offer: Offer, flags: Flags): boolean {
  const holds = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
  const provider = flags.text('provider');
  return (
    holds(offer.gpu_name, flags.text('gpu-name')) &&
    (holds(offer.provider, provider) || holds(offer.cloud, provider)) &&
    holds(offer.arch, flags.text('arch'))
  );
}

function passesFloors(offer: Offer, wanted: Floors): boolean {
  return (
    offer.vram_per_gpu_gb >= wanted.vram &&
    offer.total_vram_gb >= wanted.totalVram &&
    offer.capability >= wanted.capability &&
    offer.ram_gb >= wanted.ram &&
    offer.vcpus >= wanted.vcpus &&
    offer.disk_max_gb >= wanted.disk &&
    (wanted.bootMinutes === 0 || offer.boot_time_seconds <= wanted.bootMinutes * 60)
  );
}

function passesFeatures(offer: Offer, flags: Flags): boolean {
  return (
    (!flags.on('stoppable') || offer.stoppable) &&
    (!flags.on('rebootable') || offer.rebootable) &&
    (!flags.on('flex-ports') || offer.flex_ports)
  );
}

function targetDisk(offer: Offer, wanted: number): number {
  const flexible = offer.disk_min_gb !== offer.disk_max_gb;
  return flexible && wanted >= offer.disk_min_gb && wanted > 0 ? wanted : offer.disk_min_gb;
}

function sortKey(name: string): (offer: Offer) => string | number {
  const keys: Record<string, (offer: Offer) => string | number> = SORT_KEYS;
  const key = keys[name];
  if (key === undefined) {
    throw new CliError(
      `invalid sort option ${JSON.stringify(name)}. Valid options: ${Object.keys(SORT_KEYS).join(', ')}`,
    );
  }
  return key;
}

function compare(left: string | number, right: string | number): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
