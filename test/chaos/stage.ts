import type { HostEvent } from './hostMessages.ts';
import type { ProgramFolder } from './program.ts';
import type { PlannedJob, Schedule } from './schedule.ts';
import type { Window } from './window.ts';
import type { World } from './world.ts';

/** A job as it is played. */
export interface PlayedJob {
  readonly plan: PlannedJob;
  readonly program: ProgramFolder;
  /** What the window answered to the submission; undefined while it hasn't, or when it was killed before. */
  answer: string | undefined;
  /** Whether the window that was to submit it has been closed before it could answer. */
  orphaned: boolean;
}

/** Everything that one run of a schedule consists of. */
export interface Stage {
  readonly schedule: Schedule;
  readonly world: World;
  readonly jobs: readonly PlayedJob[];
  /** All windows that there were, the first first. */
  readonly windows: readonly Window[];
  /** What was said and done, in order. */
  readonly history: readonly string[];
  /** The faults that struck. */
  readonly struck: Set<string>;
  readonly events: readonly (HostEvent & { readonly window: number })[];
  /** Whether all that was to come of it has. */
  readonly over: boolean;
  openWindow(): Promise<Window>;
  /** A window that is there and has looked around; waits for one, until all is over. */
  liveWindow(): Promise<Window | undefined>;
  note(line: string): void;
  /** Settles after so many milliseconds, or when the schedule is over. */
  pause(ms: number): Promise<void>;
}
