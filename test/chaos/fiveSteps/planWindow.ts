import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Plan } from '../../../src/workflow/plan.ts';
import type { PlanState } from '../../../src/workflow/planState.ts';
import { cleanEnvironment } from '../../support/clean-environment.ts';
import type { PlanPlaces } from '../../unit/workflow/planParts.ts';
import { hostProgram } from '../hostProgram.ts';
import type { PlanHostEvent, PlanHostOrder } from './hostMessages.ts';
import type { Death } from './points.ts';

/** Many times what a plan takes. */
const LIMIT_MS = 180_000;

/** The life of one process that runs a plan. */
export interface PlanLife {
  /** The plan's end; undefined when it was killed before. */
  readonly ended: PlanState['ended'];
  readonly killed: boolean;
  /** What it came to, in order; where it was killed, that is the last one. */
  readonly points: readonly string[];
}

/** Runs a plan in a process of its own, until that has ended or is killed. */
export async function liveOnce(
  plan: Plan,
  places: PlanPlaces,
  death: Death = { points: [] },
): Promise<PlanLife> {
  const child = spawn(process.execPath, [await hostProgram(import.meta.dirname)], {
    // by it the processes of a world are found
    env: { ...cleanEnvironment(), CHAOS_WORLD: places.sim.root },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    timeout: LIMIT_MS,
  });
  const order: PlanHostOrder = { plan, places, death };
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(order)}\n`);
  const points: string[] = [];
  let ended: PlanState['ended'];
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event: PlanHostEvent = JSON.parse(line);
    if (event.kind === 'point') points.push(event.point);
    else ended = event.ended;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...end) => resolve(end));
  });
  const killed = signal === 'SIGKILL';
  if (!killed && (code !== 0 || ended === undefined)) {
    throw new Error(`it ended with ${signal ?? code} after ${points.at(-1)}: ${errors}`);
  }
  return { ended, killed, points };
}
