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

/** What would cure a problem without asking anybody. */
export type SpecFix =
  /** Puts a text where the problem is; quotes stay. */
  | { readonly kind: 'replace'; readonly text: string }
  /** Gives a value to the key where the problem is, which has none. */
  | { readonly kind: 'setValue'; readonly text: string }
  | { readonly kind: 'insertAtTop'; readonly text: string }
  | { readonly kind: 'spacesForTabs' | 'unixLineEnds' };

/** A problem at a place of the spec. */
export interface SpecProblem {
  readonly code: SpecProblemCode;
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: Message;
  readonly place: Place;
  readonly action?: ActionId;
  readonly fix?: SpecFix;
}
