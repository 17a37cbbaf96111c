import type { Message } from '../../values/message.ts';
import type { CredentialName } from '../credentials.ts';

/** `failed` refuses the launch, `warning` leaves it to the user; `skipped` wasn't looked at, and says why. */
export type LaunchState = 'passed' | 'failed' | 'warning' | 'skipped';

/** What would put a line in order. */
export type LaunchFix =
  | { readonly kind: 'enterCredential'; readonly name: CredentialName }
  /** Upload a file or folder to `remotePath`, relative to the home directory, which the container sees as the other. */
  | { readonly kind: 'upload'; readonly remotePath: string; readonly containerPath: string }
  | { readonly kind: 'signIn' }
  /** Pick a type that is large enough. */
  | { readonly kind: 'findMachine' }
  /** Open the spec at this line, from 1. */
  | { readonly kind: 'openSpec'; readonly line: number };

/** One line of the list that is shown before a job is launched. */
export interface LaunchCheck {
  /** Stays the same from one run of the checks to the next. */
  readonly id: string;
  readonly title: Message;
  readonly state: LaunchState;
  readonly sentence: Message;
  readonly fix?: LaunchFix;
}

/** Whether the job may be launched; warnings are the user's to judge. */
export function mayLaunch(checks: readonly LaunchCheck[]): boolean {
  return checks.every(({ state }) => state !== 'failed');
}

/** Makes the lines of one check, which differ in what follows its id and title. */
export function lineOf(id: string, title: Message) {
  return (state: LaunchState, sentence: Message, fix?: LaunchFix): LaunchCheck => ({
    id,
    title,
    state,
    sentence,
    ...(fix === undefined ? {} : { fix }),
  });
}
