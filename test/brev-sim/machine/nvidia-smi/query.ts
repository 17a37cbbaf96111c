import type { Device } from './devices.ts';

interface Field {
  /** The header's unit, such as `[MiB]`, and the value's. */
  unit: string;
  value: (device: Device) => string;
}

const field = (unit: string, value: (device: Device) => string): Field => ({ unit, value });

const FIELDS: Record<string, Field> = {
  index: field('', ({ index }) => String(index)),
  name: field('', ({ name }) => name),
  gpu_name: field('', ({ name }) => name),
  uuid: field('', ({ uuid }) => uuid),
  gpu_uuid: field('', ({ uuid }) => uuid),
  count: field('', () => '1'),
  driver_version: field('', ({ driver }) => driver),
  timestamp: field('', () =>
    new Date().toISOString().replaceAll('-', '/').replace('T', ' ').replace('Z', ''),
  ),
  'memory.total': field('MiB', ({ memoryMiB }) => String(memoryMiB)),
  'memory.used': field('MiB', ({ usedMiB }) => String(usedMiB)),
  'memory.free': field('MiB', ({ memoryMiB, usedMiB }) => String(memoryMiB - usedMiB)),
  'memory.reserved': field('MiB', () => '580'),
  'utilization.gpu': field('%', ({ utilisation }) => String(utilisation)),
  'utilization.memory': field('%', ({ utilisation }) => String(Math.round(utilisation * 0.6))),
  'temperature.gpu': field('', ({ temperature }) => String(temperature)),
  'power.draw': field('W', ({ watts }) => watts.toFixed(2)),
  'power.limit': field('W', ({ limitWatts }) => limitWatts.toFixed(2)),
  'fan.speed': field('%', () => '[N/A]'),
  pstate: field('', ({ utilisation }) => (utilisation > 0 ? 'P0' : 'P8')),
  compute_cap: field('', ({ name }) => computeCapability(name)),
  compute_mode: field('', () => 'Default'),
  persistence_mode: field('', () => 'Enabled'),
  'pci.bus_id': field(
    '',
    ({ index }) => `00000000:${(index + 1).toString(16).padStart(2, '0').toUpperCase()}:00.0`,
  ),
  serial: field('', () => '[N/A]'),
  'mig.mode.current': field('', () => '[N/A]'),
  'ecc.errors.uncorrected.volatile.total': field('', () => '0'),
};

function computeCapability(name: string): string {
  const known: [RegExp, string][] = [
    [/B200|GB200/, '10.0'],
    [/RTX PRO 6000/, '12.0'],
    [/H100|H200/, '9.0'],
    [/L40|L4\b/, '8.9'],
    [/A10/, '8.6'],
    [/T4/, '7.5'],
  ];
  if (/A100/.test(name)) return '8.0';
  return known.find(([pattern]) => pattern.test(name))?.[1] ?? '8.6';
}

/** `--query-gpu=… --format=csv[,noheader][,nounits]`. */
export function queryGpus(devices: Device[], query: string, format: string): number {
  const options = format.split(',').map((option) => option.trim());
  if (!options.includes('csv')) {
    process.stdout.write('"--format=" switch is missing. Please run \'nvidia-smi -h\' for help.\n\n');
    return 1;
  }
  const names = query.split(',').map((name) => name.trim());
  const unknown = names.find((name) => FIELDS[name] === undefined);
  if (unknown !== undefined) {
    process.stdout.write(`Field "${unknown}" is not a valid field to query.\n\n`);
    return 2;
  }
  const lines = options.includes('noheader') ? [] : [names.map(header).join(', ')];
  const units = !options.includes('nounits');
  for (const device of devices) lines.push(names.map((name) => cell(name, device, units)).join(', '));
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

function header(name: string): string {
  const unit = FIELDS[name]?.unit ?? '';
  return unit === '' ? name : `${name} [${unit}]`;
}

function cell(name: string, device: Device, units: boolean): string {
  const { unit = '', value = () => '' } = FIELDS[name] ?? {};
  const text = value(device);
  return units && unit !== '' && !text.startsWith('[') ? `${text} ${unit}` : text;
}
