import type { Step } from './demo.ts';
import { chooseSpec } from './steps/chooseSpec.ts';
import { createInstance } from './steps/createInstance.ts';
import { openBrevView } from './steps/openBrevView.ts';
import { openOffers } from './steps/openOffers.ts';
import { reviewRun } from './steps/reviewRun.ts';
import { seeJobEnd } from './steps/seeJobEnd.ts';
import { waitUntilReady } from './steps/waitUntilReady.ts';
import { watchTraining } from './steps/watchTraining.ts';

/** What the demo can do by itself: steps in order, by the scenario's name. Each goes on where the one before ended. */
export const scenarios: ReadonlyMap<string, readonly Step[]> = new Map([
  [
    'train',
    [
      openBrevView,
      openOffers,
      createInstance,
      waitUntilReady,
      chooseSpec,
      reviewRun,
      watchTraining,
      seeJobEnd,
    ],
  ],
]);
