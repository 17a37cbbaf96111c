import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTextIfThere } from './json.ts';

/** How much faster than life this machine runs: BREV_SIM_SPEED, else its `speed` file, else 1. */
export function simulationSpeed(machine: string, env: NodeJS.ProcessEnv = process.env): number {
  for (const text of [env.BREV_SIM_SPEED, readTextIfThere(join(machine, 'speed'))]) {
    const speed = Number(text ?? Number.NaN);
    if (Number.isFinite(speed) && speed > 0) return speed;
  }
  return 1;
}

/** Waits so many seconds of simulated time. */
export async function simulatedSleep(seconds: number, speed: number): Promise<void> {
  await sleep((seconds * 1000) / speed);
}
