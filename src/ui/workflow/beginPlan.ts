import * as vscode from 'vscode';
import { checkSteps, type Estimate, estimateCost } from '../../workflow/estimate.ts';
import { withFollowers } from '../../workflow/order.ts';
import type { Plan, Step } from '../../workflow/plan.ts';
import { beginState, isOver, type RunWish } from '../../workflow/planState.ts';
import type { PlanWorld } from '../../workflow/planWorld.ts';
import { inTheWay } from '../../workflow/stateProblems.ts';
import type { StepCheck } from '../../workflow/world.ts';
import { cancellable } from '../cancellable.ts';
import { platformWords } from '../jobs/platformWords.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';
import { showFailure } from '../showFailure.ts';
import { worldOf } from './planSurroundings.ts';

/** Checks the steps that are to be run, says what they may cost, asks, and only then begins. */
export async function beginPlan(parts: Parts, uri: vscode.Uri, wish: RunWish): Promise<void> {
  const { open, runs } = await parts.plans();
  if (uri.scheme !== 'file') {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('Only a plan in a folder of this computer can be run: its state is kept beside it.'),
    );
    return;
  }
  // what the user sees is what runs, and what another window would go on with
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty && !(await document.save())) {
    return;
  }
  const { reading } = await open.look(uri);
  const { plan } = reading;
  if (plan === undefined) {
    await vscode.window.showTextDocument(uri);
    await vscode.commands.executeCommand('workbench.actions.view.problems');
    return;
  }
  const before = await runs.state(uri);
  if (before.kind !== 'ok') {
    if (before.kind === 'failed') {
      await showFailure(before.failure, parts.log);
    }
    return;
  }
  const again =
    wish.kind === 'from' ? withFollowers(plan.steps, wish.step) : new Set(plan.steps.map(({ name }) => name));
  const live = inTheWay(plan, before.value, (step) => wish.kind !== 'resume' && again.has(step));
  if (live.length > 0) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} may still be running. Resume the plan, or cancel its jobs first.', live.join(', ')),
    );
    return;
  }
  const begun = beginState(plan, before.value, wish, 0);
  const toRun = ({ name }: Step): boolean => {
    const step = begun.steps[name];
    return step?.wanted === true && !isOver(step.phase);
  };
  const world = worldOf(parts, uri);
  const looked = await lookFirst(world, plan, toRun);
  if (looked === undefined) {
    return;
  }
  open.showChecks(uri, looked.checks);
  if (await agreed(plan, toRun, looked)) {
    const started = await runs.start(uri, plan, wish, world);
    if (started.kind === 'failed') {
      await showFailure(started.failure, parts.log);
    } else if (started.kind === 'ok') {
      await vscode.commands.executeCommand('brev.showPlan', uri);
    }
  }
}

interface Looked {
  readonly checks: readonly StepCheck[];
  readonly estimate: Estimate;
}

/** Undefined when the user cancelled it. */
function lookFirst(
  world: PlanWorld,
  plan: Plan,
  toRun: (step: Step) => boolean,
): Thenable<Looked | undefined> {
  return cancellable(vscode.l10n.t('Checking {0}', plan.name), async (signal) => {
    const [checks, estimate] = await Promise.all([
      checkSteps(world, plan, toRun, signal),
      estimateCost(world, plan, toRun),
    ]);
    return signal.aborted ? undefined : { checks, estimate };
  });
}

async function agreed(
  plan: Plan,
  toRun: (step: Step) => boolean,
  { checks, estimate }: Looked,
): Promise<boolean> {
  const failed = checks.filter(({ state }) => state === 'failed');
  if (failed.length > 0) {
    const show = vscode.l10n.t('Show Problems');
    const chosen = await vscode.window.showErrorMessage(
      vscode.l10n.t('{0} was not begun, and nothing was bought.', plan.name),
      { modal: true, detail: failed.map(inWords).join('\n') },
      show,
    );
    if (chosen === show) {
      await vscode.commands.executeCommand('workbench.actions.view.problems');
    }
    return false;
  }
  const steps = plan.steps.filter(toRun);
  const run = vscode.l10n.t('Run');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Run {0}: {1} steps?', plan.name, steps.length),
    {
      modal: true,
      detail: [
        ...steps.map(({ name, platform }) => {
          const part = estimate.steps.find(({ step }) => step === name);
          return [
            name,
            platformWords(platform).name,
            ...(part === undefined || part.what === '' ? [] : [part.what]),
            formatPrice(part?.pricePerHour),
          ].join(' · ');
        }),
        '',
        estimate.atMost === undefined
          ? vscode.l10n.t('What it costs in all is not known: a price is missing, or a step has no timeout.')
          : vscode.l10n.t('It costs at most {0}.', `$${estimate.atMost.toFixed(2)}`),
        ...checks.filter(({ state }) => state === 'warning').map(inWords),
      ].join('\n'),
    },
    run,
  );
  return chosen === run;
}

function inWords({ sentence, step }: StepCheck): string {
  return `${step}: ${localize(sentence)}`;
}
