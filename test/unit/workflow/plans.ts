import { builtInCatalogue } from '../../../src/tao/catalogue/builtIn.ts';
import { inEnglish } from '../../../src/values/message.ts';
import type { Plan } from '../../../src/workflow/plan.ts';
import { type PlanContext, readPlan } from '../../../src/workflow/readPlan.ts';

export const CONTEXT: PlanContext = {
  name: 'test',
  catalogue: builtInCatalogue,
  fileExists: async () => true,
  platformTrouble: () => undefined,
};

/** A plan that must have no problems. */
export async function planOf(value: unknown): Promise<Plan> {
  const { plan, problems } = await readPlan(JSON.stringify(value), CONTEXT);
  if (plan === undefined || problems.length > 0) {
    throw new Error(problems.map(({ problem }) => inEnglish(problem)).join('\n'));
  }
  return plan;
}

/** The problems of a text: `line: severity: words`. */
export async function problemsOf(
  text: string,
  context: Partial<PlanContext> = {},
): Promise<readonly string[]> {
  const { problems } = await readPlan(text, { ...CONTEXT, ...context });
  return problems.map(({ place, problem, severity }) => `${place.line}: ${severity}: ${inEnglish(problem)}`);
}
