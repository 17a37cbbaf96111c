/** One row of `brev search --json`, in the contract's order of fields. */
export interface Offer {
  type: string;
  cloud: string;
  provider: string;
  gpu_name: string;
  gpu_count: number;
  vram_per_gpu_gb: number;
  total_vram_gb: number;
  capability: number;
  vcpus: number;
  memory: string;
  ram_gb: number;
  arch: string;
  disk_min_gb: number;
  disk_max_gb: number;
  disk_price_per_gb_mo: number;
  boot_time_seconds: number;
  stoppable: boolean;
  rebootable: boolean;
  flex_ports: boolean;
  price_per_hour: number;
}

interface Gpu {
  name: string;
  vramGb: number;
  capability: number;
}

const GPUS = {
  T4: { name: 'T4', vramGb: 16, capability: 7.5 },
  L4: { name: 'L4', vramGb: 24, capability: 8.9 },
  L40: { name: 'L40', vramGb: 48, capability: 8.9 },
  L40S: { name: 'L40S', vramGb: 48, capability: 8.9 },
  A10G: { name: 'A10G', vramGb: 24, capability: 8.6 },
  A100: { name: 'A100', vramGb: 40, capability: 8 },
  A100_80: { name: 'A100', vramGb: 80, capability: 8 },
  H100: { name: 'H100', vramGb: 80, capability: 9 },
  H200: { name: 'H200', vramGb: 141, capability: 9 },
  B200: { name: 'B200', vramGb: 180, capability: 10 },
  RTX_PRO: { name: 'RTXPro6000', vramGb: 96, capability: 12 },
} satisfies Record<string, Gpu>;

/** type, cloud, provider, GPU, count, vCPUs, RAM GB, disk GB min-max, boot s, features (S R P as the table prints them), $/h */
type Row = [
  type: string,
  cloud: string,
  provider: string,
  gpu: keyof typeof GPUS | null,
  count: number,
  vcpus: number,
  ramGb: number,
  diskMin: number,
  diskMax: number,
  bootSeconds: number,
  features: string,
  price: number,
];

const ROWS: Row[] = [
  ['n2d-standard-2', 'gcp', 'gcp', null, 0, 2, 8, 10, 16384, 120, 'SRP', 0.1],
  ['n2d-standard-4', 'gcp', 'gcp', null, 0, 4, 16, 10, 16384, 120, 'SRP', 0.2],
  ['n2d-standard-8', 'gcp', 'gcp', null, 0, 8, 32, 10, 16384, 120, 'SRP', 0.4],
  ['n2d-standard-16', 'gcp', 'gcp', null, 0, 16, 64, 10, 16384, 120, 'SRP', 0.81],
  ['n1-standard-4:nvidia-tesla-t4:1', 'gcp', 'gcp', 'T4', 1, 4, 15, 10, 16384, 180, 'SRP', 0.58],
  ['g4dn.xlarge', 'aws', 'aws', 'T4', 1, 4, 16, 10, 16384, 180, 'SRP', 0.65],
  ['g2-standard-4:nvidia-l4:1', 'gcp', 'gcp', 'L4', 1, 4, 16, 10, 16384, 180, 'SRP', 0.85],
  ['g2-standard-48:nvidia-l4:4', 'gcp', 'gcp', 'L4', 4, 48, 192, 10, 16384, 180, 'SRP', 4.8],
  ['g6.xlarge', 'aws', 'aws', 'L4', 1, 4, 16, 10, 16384, 180, 'SRP', 0.97],
  ['massedcompute_L40S', 'massedcompute', 'shadeform', 'L40S', 1, 22, 128, 625, 625, 300, 'P', 1.03],
  ['massedcompute_L40Sx2', 'massedcompute', 'shadeform', 'L40S', 2, 44, 256, 1250, 1250, 300, 'P', 2.06],
  ['l40s-48gb.1x', 'crusoe', 'crusoe', 'L40S', 1, 8, 147, 128, 128, 240, 'SRP', 1.74],
  ['g6e.xlarge', 'aws', 'aws', 'L40S', 1, 4, 32, 10, 16384, 240, 'SRP', 2.23],
  ['g6e.12xlarge', 'aws', 'aws', 'L40S', 4, 48, 384, 10, 16384, 240, 'SRP', 12.59],
  ['hyperstack_L40', 'hyperstack', 'shadeform', 'L40', 1, 28, 58, 725, 725, 420, 'RP', 1.2],
  ['g5.xlarge', 'aws', 'aws', 'A10G', 1, 4, 16, 10, 16384, 180, 'SRP', 1.21],
  ['g5.12xlarge', 'aws', 'aws', 'A10G', 4, 48, 192, 10, 16384, 180, 'SRP', 6.81],
  ['a2-highgpu-1g:nvidia-tesla-a100:1', 'gcp', 'gcp', 'A100', 1, 12, 85, 10, 16384, 240, 'SRP', 4.41],
  ['a2-highgpu-8g:nvidia-tesla-a100:8', 'gcp', 'gcp', 'A100', 8, 96, 680, 10, 16384, 300, 'SRP', 35.26],
  ['hyperstack_A100_80G', 'hyperstack', 'shadeform', 'A100_80', 1, 28, 120, 850, 850, 420, 'P', 1.62],
  ['p4d.24xlarge', 'aws', 'aws', 'A100', 8, 96, 1152, 10, 16384, 600, 'SRP', 26.4],
  ['1H100.80S.30V', 'verda', 'shadeform', 'H100', 1, 30, 120, 100, 100, 240, 'RP', 2.54],
  ['gpu-h100-sxm.1gpu-16vcpu-200gb', 'nebius', 'nebius', 'H100', 1, 16, 200, 50, 2560, 300, 'SRP', 3.54],
  ['gpu-h100-sxm.8gpu-128vcpu-1600gb', 'nebius', 'nebius', 'H100', 8, 128, 1600, 50, 2560, 360, 'SRP', 28.32],
  ['gpu-h200-sxm.1gpu-16vcpu-200gb', 'nebius', 'nebius', 'H200', 1, 16, 200, 50, 2560, 300, 'SRP', 4.2],
  ['gpu-h200-sxm.8gpu-128vcpu-1600gb', 'nebius', 'nebius', 'H200', 8, 128, 1600, 50, 2560, 360, 'SRP', 33.6],
  ['gpu-b200-sxm.8gpu-160vcpu-1792gb', 'nebius', 'nebius', 'B200', 8, 160, 1792, 50, 2560, 480, 'SRP', 52.8],
  ['1RTXPRO6000.30V', 'verda', 'shadeform', 'RTX_PRO', 1, 30, 120, 100, 100, 240, 'RP', 1.68],
  ['2RTXPRO6000.60V', 'verda', 'shadeform', 'RTX_PRO', 2, 60, 240, 100, 100, 240, 'RP', 3.36],
];

/** The catalogue of the simulated cloud. */
export const OFFERS: Offer[] = ROWS.map(toOffer);

export function findOffer(type: string): Offer | undefined {
  return OFFERS.find((offer) => offer.type === type);
}

function toOffer(row: Row): Offer {
  const [type, cloud, provider, key, count, vcpus, ramGb, diskMin, diskMax, boot, features, price] = row;
  const gpu: Gpu = key === null ? { name: '-', vramGb: 0, capability: 0 } : GPUS[key];
  return {
    type,
    cloud,
    provider,
    gpu_name: gpu.name,
    gpu_count: count,
    vram_per_gpu_gb: gpu.vramGb,
    total_vram_gb: gpu.vramGb * count,
    capability: gpu.capability,
    vcpus,
    memory: `${ramGb}GiB`,
    ram_gb: ramGb,
    arch: 'x86_64',
    disk_min_gb: diskMin,
    disk_max_gb: diskMax,
    // A provider that sells fixed disks includes them: the field is left out of the JSON when it is 0.
    disk_price_per_gb_mo: diskMin === diskMax ? 0 : 0.1,
    boot_time_seconds: boot,
    stoppable: features.includes('S'),
    rebootable: features.includes('R'),
    flex_ports: features.includes('P'),
    price_per_hour: price,
  };
}
