import type { ActionId } from '../../values/failure.ts';
import type { Message } from '../../values/message.ts';
import type { Place } from './place.ts';

/** What is wrong with a spec; a diagnostic's code. */
export type SpecProblemCode =
  | 'unreadable'
  | 'tooLarge'
  | 'aliasesGrow'
  | 'foreignBytes'
  | 'unknownModel'
  | 'unknownAction'
  | 'pathNowhere'
  | 'pathEmpty'
  | 'noValue'
  | 'resultsLost'
  | 'noResultsDir'
  | 'tooManyGpus'
  | 'idleGpus'
  | 'badGpuCount'
  | 'multiNode';

/** A problem at a place of the spec. */
export interface SpecProblem {
  readonly code: SpecProblemCode;
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: Message;
  readonly place: Place;
  readonly action?: ActionId;
}
