import type { GpuGauge, InstanceGauge } from '../../instances/gauges.ts';

/** More GPUs has no instance. */
const MAX_GPUS = 16;

/** Reads what follow.sh saw: `disk=TOTAL,FREE` in KiB, and `gpu=INDEX,USE,USED,TOTAL,CELSIUS` as nvidia-smi has them. */
export function readGauge(text: string): InstanceGauge {
  const gpus: GpuGauge[] = [];
  let disk: InstanceGauge['disk'];
  for (const word of text.split(' ')) {
    const [, kind, values = ''] = /^(gpu|disk)=(.*)$/.exec(word) ?? [];
    const [first, second, third, fourth, fifth] = values.split(',').map(toNumber);
    if (kind === 'disk' && first !== undefined && second !== undefined) {
      disk = { totalBytes: first * 1024, freeBytes: second * 1024 };
    } else if (kind === 'gpu' && first !== undefined && gpus.length < MAX_GPUS) {
      gpus.push({ index: first, use: second, usedMib: third, totalMib: fourth, celsius: fifth });
    }
  }
  return { gpus, disk };
}

/** `[N/A]` and the like are no numbers. */
function toNumber(text: string): number | undefined {
  return /^\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}
