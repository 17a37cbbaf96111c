import * as z from 'zod/mini';
import type { PlatformId } from '../platforms/platform.ts';
import type { Catalogue } from '../tao/catalogue/catalogue.ts';
import type { Message } from '../values/message.ts';
import { fileFaults } from './fileFaults.ts';
import { orderFaults, outputFaults } from './graphFaults.ts';
import type { Plan, PlanProblem, PlanReading, Step } from './plan.ts';
import { planInFile } from './planFile.ts';
import { readPlanText } from './planText.ts';
import { readStep, type StepDraft } from './readStep.ts';

/** What a plan is judged by beyond its text. */
export interface PlanContext {
  /** What the plan is called when it doesn't say. */
  readonly name: string;
  readonly catalogue: Catalogue;
  /** Whether there is such a file, relative to the plan's folder. */
  readonly fileExists: (file: string) => Promise<boolean>;
  /** Why a platform can't be used here; undefined when it can, or when nobody has looked yet. */
  readonly platformTrouble: (platform: PlatformId) => Message | undefined;
}

/** Reads a plan file: its steps in order, or all that is wrong with it, each where it stands. */
export async function readPlan(text: string, context: PlanContext): Promise<PlanReading> {
  const read = await readPlanText(text);
  if (read.kind === 'unreadable') {
    const { place, problem } = read;
    return {
      plan: undefined,
      places: [],
      problems: [{ severity: 'error', problem, place, step: undefined }],
    };
  }
  // a plan may be just its list of steps
  const isList = Array.isArray(read.value);
  const isStep = !isList && isMap(read.value) && 'platform' in read.value && !('steps' in read.value);
  const value = isList ? { steps: read.value } : isStep ? { steps: [read.value] } : (read.value ?? {});
  const pathOf = (path: readonly PropertyKey[]): readonly PropertyKey[] =>
    isList ? path.slice(1) : isStep ? path.slice(2) : path;
  const parsed = z.safeParse(planInFile, value);
  if (!parsed.success) {
    return {
      plan: undefined,
      places: [],
      problems: fileFaults(parsed.error.issues, value, pathOf, read),
    };
  }
  const problems: PlanProblem[] = [];
  const drafts: StepDraft[] = [];
  for (const [index, raw] of parsed.data.steps.entries()) {
    const at = {
      whole: read.placeOf(pathOf(['steps', index])),
      of: (...keys: readonly PropertyKey[]) => read.placeOf(pathOf(['steps', index, ...keys])),
      keyOf: (...keys: readonly PropertyKey[]) => read.keyPlaceOf(pathOf(['steps', index, ...keys])),
    };
    const draft = await readStep({ raw, at, plan: parsed.data, earlier: drafts, context });
    drafts.push(draft);
    problems.push(...draft.problems);
  }
  problems.push(...orderFaults(drafts), ...outputFaults(drafts));
  const steps: readonly Step[] = drafts.map(({ step }) => step);
  const plan: Plan = { name: parsed.data.name ?? context.name, steps };
  return {
    plan: problems.some(({ severity }) => severity === 'error') ? undefined : plan,
    places: steps.map(({ name, place }) => ({ name, place })),
    problems: problems.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column),
  };
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
