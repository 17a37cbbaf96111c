import * as vscode from 'vscode';
import { pickOne } from '../quickInput.ts';
import { beginPlan } from '../workflow/beginPlan.ts';
import { choosePlan } from './choosePlan.ts';
import type { Command } from './command.ts';

/** Runs a step of a plan again, and all that follows from it. */
export const runPlanFrom: Command = {
  id: 'brev.runPlanFrom',
  run: async (parts, argument, stepArgument) => {
    const uri = await choosePlan(argument);
    if (uri === undefined) {
      return;
    }
    const { reading } = await (await parts.plans()).open.look(uri);
    const picked =
      typeof stepArgument === 'string'
        ? ({ kind: 'picked', value: stepArgument } as const)
        : await pickOne<string>(
            { title: vscode.l10n.t('Run from here'), placeholder: vscode.l10n.t('Which step?') },
            async () => reading.places.map(({ name }) => ({ label: name, value: name })),
          );
    if (picked.kind === 'picked') {
      await beginPlan(parts, uri, { kind: 'from', step: picked.value });
    }
  },
};
