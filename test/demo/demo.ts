import type { Page } from 'playwright-core';
import type { Sim } from '../brev-sim/sim.ts';

/** What a step of a scenario works with. */
export interface Demo {
  /** The window, as a person sees it. */
  readonly page: Page;
  /** The folder that is open in it. */
  readonly folder: string;
  /** The cloud behind it. */
  readonly cloud: Sim;
  /** Prints what is going on. */
  readonly say: (line: string) => void;
}

/** One thing that a person does; returns what they see then, throws when it didn't happen. */
export type Step = (demo: Demo) => Promise<string>;
