import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, readJsonIfThere } from './json.ts';

/** The GPUs of a simulated machine. */
export interface Gpus {
  name: string;
  count: number;
  memoryMiB: number;
  driver: string;
}

/** The driver says `NVIDIA L40S` where a catalogue says `L40S`, and `Tesla T4`. */
function fullName(name: string): string {
  if (/^(NVIDIA|Tesla) /.test(name)) return name;
  return name === 'T4' ? 'Tesla T4' : `NVIDIA ${name}`;
}

/** What `machine.json` says about the GPUs; undefined when the machine has none. */
export function readGpus(machine: string): Gpus | undefined {
  if (existsSync(join(machine, 'no-gpu'))) return undefined;
  const file = readJsonIfThere(join(machine, 'machine.json'));
  const record = isRecord(file) ? file : {};
  const { gpuName, gpuCount, vramMb, driver } = record;
  const count = typeof gpuCount === 'number' ? gpuCount : 1;
  if (count < 1) return undefined;
  return {
    name: fullName(typeof gpuName === 'string' && gpuName !== '' ? gpuName : 'L40S'),
    count,
    memoryMiB: typeof vramMb === 'number' ? vramMb : 46068,
    driver: typeof driver === 'string' ? driver : '580.95.05',
  };
}
