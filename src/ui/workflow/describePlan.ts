import * as vscode from 'vscode';
import { columnsOf } from '../../workflow/order.ts';
import type { Step } from '../../workflow/plan.ts';
import { platformWords } from '../jobs/platformWords.ts';
import { localize } from '../localize.ts';
import type { PlanLook } from './openPlans.ts';
import type { PanelPlan, PanelStep, PlanPanelWords } from './planProtocol.ts';
import { doneOf, phaseWords, standingMachines } from './planWords.ts';

/** What the graph shows of a plan; undefined while the file has errors. */
export function describePlan({ isRunning, reading, state }: PlanLook): PanelPlan | undefined {
  const { plan } = reading;
  if (plan === undefined) {
    return undefined;
  }
  const columns = columnsOf(plan.steps);
  const standing = state === undefined ? [] : standingMachines(state);
  return {
    title: plan.name,
    summary: [
      state === undefined ? vscode.l10n.t('Not run yet.') : vscode.l10n.t('{0} steps done.', doneOf(state)),
      ...(standing.length === 0
        ? []
        : [vscode.l10n.t('These instances are kept, and billing: {0}.', standing.join(', '))]),
    ].join(' '),
    canRun: !isRunning,
    canResume: !isRunning && state !== undefined && state.ended !== 'complete',
    canCancel: isRunning,
    steps: plan.steps.map((step): PanelStep => {
      const known = state?.steps[step.name];
      const phase = known?.phase ?? 'waiting';
      const isOpen = phase === 'waiting' || phase === 'running' || phase === 'saving';
      return {
        name: step.name,
        column: columns.get(step.name) ?? 0,
        needs: step.needs,
        platform: platformWords(step.platform).name,
        phase,
        phaseWord: phaseWords(phase).word,
        facts: [runs(step), ...(known?.reason === undefined ? [] : [localize(known.reason)])],
        hasLog: known?.attempts.at(-1) !== undefined,
        canCancel: isRunning && isOpen && known?.wanted === true,
        canRun: !isRunning,
      };
    }),
  };
}

function runs({ action, nodes, shape, skill, work }: Step): string {
  return [
    work.kind === 'command' ? (work.command.split('\n', 1)[0] ?? '').slice(0, 80) : `${skill} ${action}`,
    ...(shape === undefined ? [] : [nodes === 1 ? shape : `${nodes} × ${shape}`]),
  ].join(' · ');
}

/** The page's texts in the user's language. */
export function planPanelWords(): PlanPanelWords {
  return {
    run: vscode.l10n.t('Run'),
    resume: vscode.l10n.t('Resume'),
    cancel: vscode.l10n.t('Cancel'),
    runFrom: vscode.l10n.t('Run from here'),
    log: vscode.l10n.t('Show Log'),
    open: vscode.l10n.t('Open the Plan'),
    table: vscode.l10n.t('The steps in words'),
    step: vscode.l10n.t('Step'),
    platform: vscode.l10n.t('Platform'),
    state: vscode.l10n.t('State'),
    needs: vscode.l10n.t('Needs'),
    nothing: vscode.l10n.t('The plan has errors. They are shown in its file.'),
  };
}
