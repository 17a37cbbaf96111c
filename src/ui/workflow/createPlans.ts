import * as vscode from 'vscode';
import type { Parts } from '../parts.ts';
import { OpenPlans } from './openPlans.ts';
import { showPlanProblems } from './planDiagnostics.ts';
import { PlanLenses } from './planLenses.ts';
import { PLANS } from './planName.ts';
import { showPlanProgress } from './planNotices.ts';
import { PlanPanels } from './planPanels.ts';
import { PlanRuns } from './planRuns.ts';

/** Everything about plans; loaded when the first one is seen, or goes on. */
export interface Plans extends vscode.Disposable {
  readonly open: OpenPlans;
  readonly runs: PlanRuns;
  readonly panels: PlanPanels;
}

/** @param folder for the leases that decide which window runs a plan */
export function createPlans(parts: Parts, extension: vscode.Uri, folder: string): Plans {
  const runs = new PlanRuns(parts, folder);
  const open = new OpenPlans(parts, runs);
  const panels = new PlanPanels(parts, extension, open, runs);
  const lenses = new PlanLenses(open);
  const all = vscode.Disposable.from(
    runs,
    open,
    panels,
    lenses,
    vscode.languages.registerCodeLensProvider(PLANS, lenses),
    showPlanProblems(open),
    showPlanProgress(runs),
  );
  void runs.continueAll();
  return { open, runs, panels, dispose: () => all.dispose() };
}
