import { createHash } from 'node:crypto';
import { listContainers } from '../docker/store.ts';
import type { Gpus } from '../gpu.ts';

/** One GPU as it is at this moment. */
export interface Device {
  index: number;
  name: string;
  uuid: string;
  driver: string;
  memoryMiB: number;
  usedMiB: number;
  utilisation: number;
  temperature: number;
  watts: number;
  limitWatts: number;
  processes: { pid: number; memoryMiB: number }[];
}

const LIMITS: [RegExp, number][] = [
  [/H100|H200|B200/, 700],
  [/A100|L40S/, 350],
  [/RTX PRO 6000/, 600],
  [/A10G?|T4|L4\b/, 150],
];

/** The devices with a load that follows the containers that run on them. */
export async function readDevices(machine: string, gpus: Gpus): Promise<Device[]> {
  const running = (await listContainers(machine)).filter(({ state }) => state.status === 'running');
  const limitWatts = LIMITS.find(([pattern]) => pattern.test(gpus.name))?.[1] ?? 250;
  return Array.from({ length: gpus.count }, (_, index) => {
    const users = running.filter(({ config }) => {
      const request = config.gpus;
      if (request === null) return false;
      if (request.deviceIds.length > 0) return request.deviceIds.includes(String(index));
      return request.count === -1 || index < request.count;
    });
    const digest = createHash('sha256').update(`${machine} ${index}`).digest('hex');
    // A slow wave, so that two looks differ a little and a chart has something to show.
    const wave = Math.sin(Date.now() / 3000 + index);
    const busy = users.length > 0;
    const each = Math.round(gpus.memoryMiB * (0.55 + 0.03 * wave));
    const processes = users.map(({ state }) => ({
      pid: state.pid,
      memoryMiB: Math.round(each / users.length),
    }));
    const utilisation = busy ? Math.round(91 + 7 * wave) : 0;
    return {
      index,
      name: gpus.name,
      uuid: `GPU-${digest.slice(0, 8)}-${digest.slice(8, 12)}-${digest.slice(12, 16)}-${digest.slice(16, 20)}-${digest.slice(20, 32)}`,
      driver: gpus.driver,
      memoryMiB: gpus.memoryMiB,
      usedMiB: busy ? each : 1,
      utilisation,
      temperature: busy ? Math.round(63 + 3 * wave) : 31,
      watts: busy ? limitWatts * (0.8 + 0.1 * wave) : limitWatts * 0.09,
      limitWatts,
      processes,
    };
  });
}
