import * as vscode from 'vscode';
import type { PlanEnded, PlanRuns } from './planRuns.ts';
import { doneOf, standingMachines } from './planWords.ts';

/** How far the running plans are, in the status bar; and once how each ended. */
export function showPlanProgress(runs: PlanRuns): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('brev.plans', vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t('Brev plans');
  const show = (): void => {
    const all = runs.all;
    const [first] = all;
    if (first === undefined) {
      item.hide();
      return;
    }
    item.text = `$(sync~spin) ${all.map(({ state }) => `${state.plan} ${doneOf(state)}`).join(', ')}`;
    item.tooltip = vscode.l10n.t('Steps that are done. Click to see the graph.');
    item.command = { command: 'brev.showPlan', title: '', arguments: [first.uri] };
    item.accessibilityInformation = {
      label: all
        .map(({ state }) => vscode.l10n.t('Plan {0}: {1} steps done', state.plan, doneOf(state)))
        .join(', '),
    };
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    new vscode.Disposable(runs.onChange(show)),
    new vscode.Disposable(runs.onEnd((ended) => void tell(ended))),
  );
}

async function tell({ state, uri }: PlanEnded): Promise<void> {
  const standing = standingMachines(state);
  const graph = vscode.l10n.t('Graph');
  const resume = vscode.l10n.t('Resume');
  const kept =
    standing.length === 0
      ? []
      : [vscode.l10n.t('These instances are kept, and billing: {0}.', standing.join(', '))];
  const isComplete = state.ended === 'complete';
  const show =
    isComplete && kept.length === 0
      ? vscode.window.showInformationMessage
      : state.ended === 'failed'
        ? vscode.window.showErrorMessage
        : vscode.window.showWarningMessage;
  const sentence = isComplete
    ? vscode.l10n.t('The plan {0} is done.', state.plan)
    : state.ended === 'cancelled'
      ? vscode.l10n.t('The plan {0} was cancelled: {1} steps done.', state.plan, doneOf(state))
      : vscode.l10n.t(
          'The plan {0} did not come to its end: {1} steps done. {2}',
          state.plan,
          doneOf(state),
          failedSteps(state),
        );
  const chosen = await show([sentence, ...kept].join(' '), graph, ...(isComplete ? [] : [resume]));
  if (chosen === graph) {
    await vscode.commands.executeCommand('brev.showPlan', uri);
  } else if (chosen === resume) {
    await vscode.commands.executeCommand('brev.resumePlan', uri);
  }
}

function failedSteps({ steps }: PlanEnded['state']): string {
  const names = Object.entries(steps).flatMap(([name, { phase }]) =>
    phase === 'failed' || phase === 'unknown' ? [name] : [],
  );
  return vscode.l10n.t('Failed: {0}.', names.join(', '));
}
