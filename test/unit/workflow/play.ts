import type { Plan } from '../../../src/workflow/plan.ts';
import { PlanRun } from '../../../src/workflow/planRun.ts';
import { beginState, type RunWish } from '../../../src/workflow/planState.ts';
import { settled } from '../../support/fake-clock.ts';
import { type PlayedWorld, Process } from './playedWorld.ts';

export interface Playing {
  readonly run: PlanRun;
  readonly process: Process;
}

/** Far beyond what any plan here takes. */
const LIMIT_MS = 400 * 3_600_000;

/** Begins to run a plan, or goes on with what the state says, in a process that may be killed. */
export function start(plan: Plan, world: PlayedWorld, wish: RunWish | 'continue', killAt?: number): Playing {
  const process = new Process(world, killAt);
  const { state } = world;
  const run = new PlanRun({
    plan,
    state:
      wish === 'continue' && state !== undefined
        ? state
        : beginState(plan, state, wish === 'continue' ? { kind: 'anew' } : wish, world.clock.now()),
    world: process,
    store: process,
    log: () => undefined,
  });
  return { run, process };
}

/** Turns the clock until the run has ended or its process is dead. */
export async function toTheEnd({ process, run }: Playing, world: PlayedWorld): Promise<void> {
  let over = false;
  void run.run(new AbortController().signal).then(() => {
    over = true;
  });
  const deadline = world.clock.now() + LIMIT_MS;
  for (;;) {
    await settled();
    if (over || process.killed) return;
    const next = world.clock.nextInMs;
    if (next === undefined || world.clock.now() > deadline) {
      throw new Error(`the run does not end: ${JSON.stringify(run.state, null, 1)}`);
    }
    await world.clock.advance(next);
  }
}
