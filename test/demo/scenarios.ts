import type { Step } from './demo.ts';
import { beSignedOut } from './steps/beSignedOut.ts';
import { choosePlace } from './steps/choosePlace.ts';
import { chooseSpec } from './steps/chooseSpec.ts';
import { comeBack } from './steps/comeBack.ts';
import { createInstance } from './steps/createInstance.ts';
import { createWithEof } from './steps/createWithEof.ts';
import { deleteStuck } from './steps/deleteStuck.ts';
import { getStuck } from './steps/getStuck.ts';
import { haveNoCli } from './steps/haveNoCli.ts';
import { installCli } from './steps/installCli.ts';
import { keepIt } from './steps/keepIt.ts';
import { needPlacement } from './steps/needPlacement.ts';
import { openBrevView } from './steps/openBrevView.ts';
import { openCurves } from './steps/openCurves.ts';
import { openOffers } from './steps/openOffers.ts';
import { reloadByBrowser } from './steps/reloadByBrowser.ts';
import { reloadByCommand } from './steps/reloadByCommand.ts';
import { reviewRun } from './steps/reviewRun.ts';
import { seeChecks } from './steps/seeChecks.ts';
import { seeCurves } from './steps/seeCurves.ts';
import { seeJobEnd } from './steps/seeJobEnd.ts';
import { seeSetup } from './steps/seeSetup.ts';
import { signInByToken } from './steps/signInByToken.ts';
import { speakTaoDialect } from './steps/speakTaoDialect.ts';
import { trainLonger } from './steps/trainLonger.ts';
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
      seeChecks,
      watchTraining,
      seeJobEnd,
      seeCurves,
    ],
  ],
  ['signed-out', [beSignedOut, signInByToken]],
  ['no-cli', [haveNoCli, seeSetup, installCli]],
  ['placement', [speakTaoDialect, openBrevView, openOffers, needPlacement, choosePlace]],
  ['stuck', [openBrevView, openOffers, getStuck, deleteStuck]],
  ['reload', [openBrevView, trainLonger, openCurves, comeBack, reloadByCommand, reloadByBrowser]],
  ['eof-create', [openBrevView, openOffers, createWithEof, keepIt]],
]);

/** Settings that a scenario needs beside the usual ones: nobody waits ten minutes for a machine that is stuck. */
export const scenarioSettings: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map([
  ['stuck', { 'brev.create.stuckMinutes': 0.1 }],
]);
