import { FILE_BEGIN } from '../tao/spec/place.ts';
import { message } from '../values/message.ts';
import type { Plan, PlanProblem } from './plan.ts';
import { changedSteps, liveSteps, type PlanState, vanishedSteps } from './planState.ts';

/** Where a plan and what was run of it don't go together any more. */
export function stateProblems(plan: Plan, state: PlanState): readonly PlanProblem[] {
  const live = new Set(liveSteps(state));
  return [
    ...vanishedSteps(plan, state).map((name): PlanProblem => {
      const isLive = live.has(name);
      return {
        severity: isLive ? 'error' : 'warning',
        problem: isLive
          ? message(
              '{0} is not in the plan any more, but its job may be running. Put it back, or cancel its job.',
              name,
            )
          : message('{0} was run, and is not in the plan any more.', name),
        place: FILE_BEGIN,
        step: undefined,
      };
    }),
    ...changedSteps(plan, state).map(
      ({ name, place }): PlanProblem => ({
        severity: 'warning',
        problem: message('{0} was changed since it was done. Run from here to do it again.', name),
        place,
        step: name,
      }),
    ),
  ];
}

/** The live steps that keep a run from beginning anew: those that it would begin again, or that it doesn't know. */
export function inTheWay(
  plan: Plan,
  state: PlanState | undefined,
  anew: (step: string) => boolean,
): readonly string[] {
  const names = new Set(plan.steps.map(({ name }) => name));
  return state === undefined ? [] : liveSteps(state).filter((name) => !names.has(name) || anew(name));
}
