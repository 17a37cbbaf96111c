import type { Step } from './demo.ts';
import { openBrevView } from './steps/openBrevView.ts';

/** What the demo can do by itself: steps in order, by the scenario's name. */
export const scenarios: ReadonlyMap<string, readonly Step[]> = new Map([['train', [openBrevView]]]);
