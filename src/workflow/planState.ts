import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { withFollowers, withNeeds } from './order.ts';
import type { Plan, Step } from './plan.ts';

/** What became of a step. `unknown`: its job may have run, nobody knows how it ended, so it isn't run again by itself. */
const phases = [
  'waiting',
  'running',
  'saving',
  'done',
  'skipped',
  'failed',
  'cancelled',
  'blocked',
  'unknown',
] as const;
export type StepPhase = (typeof phases)[number];

const words = z.object({
  template: z.string(),
  args: z.readonly(z.array(z.union([z.string(), z.number()]))),
});

const attempt = z.object({
  /** Chosen and written here before anything is launched under it. */
  jobId: z.string(),
  /** When it was first submitted; milliseconds since the epoch. */
  startedAt: z.number(),
  /** Why it is being stopped, from the moment on when that was decided. */
  stopping: z.optional(z.enum(['cancel', 'timeout'])),
  end: z.optional(z.enum(['complete', 'failed', 'cancelled', 'timeout', 'unknown', 'neverLaunched'])),
  /** Whether all that it left is in S3, or nothing was left. */
  saved: z.optional(z.boolean()),
});
export type Attempt = z.infer<typeof attempt>;

const stepState = z.object({
  /** Of the step as it was when it began: a changed one isn't what was done. */
  fingerprint: z.string(),
  phase: z.enum(phases),
  /** Whether this run is to bring it to its end; the others stay as they are. */
  wanted: z.boolean(),
  cancel: z.boolean(),
  attempts: z.array(attempt),
  reason: z.optional(words),
  changedAt: z.number(),
});
export type StepState = z.infer<typeof stepState>;

const machine = z.object({
  /** Chosen and written here before it is created. */
  name: z.string(),
  types: z.array(z.string()),
  phase: z.enum(['creating', 'ready', 'deleting', 'deleted', 'kept']),
  reason: z.optional(words),
});
export type Machine = z.infer<typeof machine>;

/** All that a computer must know to go on with a plan. No secret is in it, nor anything that a secret could be read from. */
export const planState = z.object({
  version: z.literal(1),
  plan: z.string(),
  startedAt: z.number(),
  steps: z.record(z.string(), stepState),
  /** By the step that each was made for. */
  machines: z.record(z.string(), machine),
  /** Machines of earlier runs that weren't deleted. */
  keptMachines: z.array(z.string()),
  ended: z.optional(z.enum(['complete', 'failed', 'cancelled'])),
});
export type PlanState = z.infer<typeof planState>;

/** What is asked of a plan: all of it anew, the rest of it, or a step with all that follows from it. */
export type RunWish =
  | { readonly kind: 'anew' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'from'; readonly step: string };

/** Whether a phase is one that a step doesn't leave by itself. */
export function isOver(phase: StepPhase): boolean {
  return phase !== 'waiting' && phase !== 'running' && phase !== 'saving';
}

/** Whether what comes after a step can begin. */
export function isDone(phase: StepPhase): boolean {
  return phase === 'done' || phase === 'skipped';
}

/** A step in as few characters as tell it from another one: what it does, not where it stands. */
export function fingerprintOf({ place: _, ...step }: Step): string {
  return createHash('sha256').update(JSON.stringify(step)).digest('hex').slice(0, 16);
}

/** The steps whose jobs may still be running or whose results aren't saved yet. */
export function liveSteps(state: PlanState): readonly string[] {
  return Object.entries(state.steps).flatMap(([name, { attempts, phase }]) =>
    phase === 'running' || phase === 'saving' || attempts.some(({ end }) => end === undefined) ? [name] : [],
  );
}

/** Steps that the state knows and the plan doesn't have any more. */
export function vanishedSteps(plan: Plan, state: PlanState): readonly string[] {
  const names = new Set(plan.steps.map(({ name }) => name));
  return Object.keys(state.steps).filter((name) => !names.has(name));
}

/** Steps that are done, and were changed since. */
export function changedSteps(plan: Plan, state: PlanState): readonly Step[] {
  return plan.steps.filter((step) => {
    const known = state.steps[step.name];
    return known !== undefined && isDone(known.phase) && known.fingerprint !== fingerprintOf(step);
  });
}

/** The state with which a run begins. What is done stays done, where that is wished; what lives goes on. */
export function beginState(plan: Plan, before: PlanState | undefined, wish: RunWish, now: number): PlanState {
  const scope = scopeOf(plan, before, wish);
  const steps: Record<string, StepState> = {};
  for (const step of plan.steps) {
    const known = before?.steps[step.name];
    const again = wish.kind === 'anew' || (wish.kind === 'from' && scope.anew.has(step.name));
    const keep = known !== undefined && (!scope.wanted.has(step.name) || (!again && goesOn(known)));
    steps[step.name] = keep
      ? { ...(wish.kind === 'resume' ? takenUp(known) : known), wanted: scope.wanted.has(step.name) }
      : {
          fingerprint: fingerprintOf(step),
          phase: 'waiting',
          wanted: scope.wanted.has(step.name),
          cancel: false,
          attempts: [],
          changedAt: now,
        };
  }
  const machines: Record<string, Machine> = {};
  const keptMachines = [...(before?.keptMachines ?? [])];
  for (const [owner, each] of Object.entries(before?.machines ?? {})) {
    if (each.phase === 'deleted') {
      continue;
    }
    if (wish.kind === 'anew' || steps[owner] === undefined) {
      keptMachines.push(each.name);
    } else {
      // found by its name, it is used again
      const { reason: _, ...rest } = each;
      machines[owner] = each.phase === 'kept' ? { ...rest, phase: 'creating' } : each;
    }
  }
  return { version: 1, plan: plan.name, startedAt: now, steps, machines, keptMachines };
}

/** Whether a step goes on where it is, and isn't begun again: it is done, or its job isn't over, or isn't saved. */
function goesOn({ attempts, phase }: StepState): boolean {
  const last = attempts.at(-1);
  return (
    isDone(phase) ||
    (last !== undefined && (last.end === undefined || last.end === 'unknown' || last.end === 'complete'))
  );
}

/** A job that nobody knew the end of is looked at again under its own id; results that weren't saved are saved again. */
function takenUp(known: StepState): StepState {
  const last = known.attempts.at(-1);
  if (isDone(known.phase) || last === undefined) {
    return known;
  }
  switch (last.end) {
    case 'complete':
      return { ...known, phase: 'saving', cancel: false };
    case 'unknown': {
      const { end: _, ...open } = last;
      return { ...known, phase: 'running', attempts: [...known.attempts.slice(0, -1), open] };
    }
    default:
      return known;
  }
}

function scopeOf(
  plan: Plan,
  before: PlanState | undefined,
  wish: RunWish,
): { readonly wanted: ReadonlySet<string>; readonly anew: ReadonlySet<string> } {
  const all = new Set(plan.steps.map(({ name }) => name));
  if (wish.kind !== 'from') {
    return { wanted: all, anew: wish.kind === 'anew' ? all : new Set() };
  }
  const anew = withFollowers(plan.steps, wish.step);
  const missing = [...withNeeds(plan.steps, anew)].filter(
    (name) => !anew.has(name) && !isDone(before?.steps[name]?.phase ?? 'waiting'),
  );
  return { wanted: new Set([...anew, ...missing]), anew };
}
