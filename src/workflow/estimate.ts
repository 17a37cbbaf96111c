import type { Plan, Step } from './plan.ts';
import type { World } from './world.ts';

/** What a step may cost, in US dollars. */
export interface StepEstimate {
  readonly step: string;
  readonly what: string;
  /** Of all its nodes. */
  readonly pricePerHour: number | undefined;
  /** If it takes as long as it may; undefined when either isn't known. */
  readonly atMost: number | undefined;
}

export interface Estimate {
  readonly steps: readonly StepEstimate[];
  /** The sum; undefined as soon as one part of it isn't known. */
  readonly atMost: number | undefined;
}

/** What these steps may cost. A step without a timeout has no upper limit, so its part is unknown. */
export async function estimateCost(
  world: Pick<World, 'price'>,
  plan: Plan,
  wanted: (step: Step) => boolean,
): Promise<Estimate> {
  const steps = await Promise.all(
    plan.steps.filter(wanted).map(async (step): Promise<StepEstimate> => {
      const { pricePerHour, what } = await world.price(step);
      const perHour = pricePerHour === undefined ? undefined : pricePerHour * step.nodes;
      // each try may take as long
      const hours =
        step.timeoutMs === undefined ? undefined : (step.timeoutMs * (1 + step.retries)) / 3_600_000;
      return {
        step: step.name,
        what,
        pricePerHour: perHour,
        atMost: perHour === undefined || hours === undefined ? undefined : perHour * hours,
      };
    }),
  );
  let atMost: number | undefined = 0;
  for (const { atMost: part } of steps) {
    atMost = atMost === undefined || part === undefined ? undefined : atMost + part;
  }
  return { steps, atMost };
}

/** What is looked at before anything is bought: every step of the run, all at once. */
export async function checkSteps(
  world: Pick<World, 'check'>,
  plan: Plan,
  wanted: (step: Step) => boolean,
  signal: AbortSignal,
): Promise<readonly Awaited<ReturnType<World['check']>>[number][]> {
  const checks = await Promise.all(plan.steps.filter(wanted).map((step) => world.check(step, signal)));
  return checks.flat();
}
