import * as vscode from 'vscode';
import { choosePlan } from './choosePlan.ts';
import type { Command } from './command.ts';

/** Cancels a step of a running plan, or all of it. */
export const cancelPlan: Command = {
  id: 'brev.cancelPlan',
  run: async (parts, argument, step) => {
    const uri = await choosePlan(argument);
    if (uri === undefined) {
      return;
    }
    const { runs } = await parts.plans();
    const state = runs.running(uri);
    if (state === undefined) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('The plan does not run in this window. Its jobs can be cancelled in the Jobs view.'),
      );
      return;
    }
    const go = vscode.l10n.t('Cancel the Jobs');
    const chosen = await vscode.window.showWarningMessage(
      typeof step === 'string'
        ? vscode.l10n.t('Cancel {0}? What needs it is not begun.', step)
        : vscode.l10n.t('Cancel the plan {0}? The jobs of all its steps are stopped.', state.plan),
      {
        modal: true,
        detail: vscode.l10n.t(
          'What the jobs left until now is saved beside their outputs. Instances that the plan made are deleted when that is safe.',
        ),
      },
      go,
    );
    if (chosen === go) {
      await runs.cancel(uri, typeof step === 'string' ? step : undefined);
    }
  },
};
