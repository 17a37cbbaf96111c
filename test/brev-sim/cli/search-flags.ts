import type { FlagSpec } from './flags.ts';

const SORTS = 'price, gpu-count, vram, total-vram, vcpu, type, provider, disk, boot-time, arch, ram';

/** Filters that `search`, `search gpu` and `create` share. */
export const GPU_FILTERS: FlagSpec[] = [
  {
    name: 'gpu-name',
    short: 'g',
    type: 'string',
    usage: 'Filter by GPU name (case-insensitive, partial match)',
  },
  { name: 'min-vram', short: 'v', type: 'float', usage: 'Minimum VRAM per GPU in GB', byDefault: '0' },
  { name: 'min-total-vram', type: 'float', usage: 'Minimum total VRAM in GB', byDefault: '0' },
  { name: 'min-capability', type: 'float', usage: 'Minimum GPU compute capability', byDefault: '0' },
];

/** Filters that make sense without a GPU too. */
export const COMMON_FILTERS: FlagSpec[] = [
  {
    name: 'provider',
    type: 'string',
    usage: 'Filter by provider or cloud (case-insensitive, partial match)',
  },
  { name: 'min-disk', type: 'float', usage: 'Minimum disk size in GB', byDefault: '0' },
  { name: 'max-boot-time', type: 'int', usage: 'Maximum boot time in minutes', byDefault: '0' },
  { name: 'stoppable', type: 'bool', usage: 'Only types that can be stopped' },
  { name: 'rebootable', type: 'bool', usage: 'Only types that can be rebooted' },
  { name: 'flex-ports', type: 'bool', usage: 'Only types with configurable ports' },
  { name: 'sort', type: 'string', usage: `Sort by: ${SORTS}`, byDefault: 'price' },
  { name: 'desc', type: 'bool', usage: 'Sort in descending order' },
];

/** What only `search` has. */
export const SEARCH_FLAGS: FlagSpec[] = [
  { name: 'min-ram', type: 'float', usage: 'Minimum RAM in GB', byDefault: '0' },
  { name: 'min-vcpu', type: 'int', usage: 'Minimum number of vCPUs', byDefault: '0' },
  { name: 'arch', type: 'string', usage: 'Filter by architecture (x86_64, arm64)' },
  { name: 'wide', short: 'w', type: 'bool', usage: 'Show all columns' },
  { name: 'json', type: 'bool', usage: 'Print the result as JSON' },
];
