import type { Plan } from '../../../src/workflow/plan.ts';
import type { PlanState } from '../../../src/workflow/planState.ts';
import type { PlanPlaces } from '../../unit/workflow/planParts.ts';
import type { Death } from './points.ts';

/** The one line that a process of a plan gets on its stdin, for secrets are in it. It ends with its stdin. */
export interface PlanHostOrder {
  readonly plan: Plan;
  readonly places: PlanPlaces;
  readonly death: Death;
}

/** What it says on its stdout, a line each. */
export type PlanHostEvent =
  | { readonly kind: 'point'; readonly point: string }
  | { readonly kind: 'ended'; readonly ended: PlanState['ended'] };
