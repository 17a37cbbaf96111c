import { beginPlan } from '../workflow/beginPlan.ts';
import { choosePlan } from './choosePlan.ts';
import type { Command } from './command.ts';

/** Runs a plan from its beginning, after its checks and its price were shown. */
export const runPlan: Command = {
  id: 'brev.runPlan',
  run: async (parts, argument) => {
    const uri = await choosePlan(argument);
    if (uri !== undefined) {
      await beginPlan(parts, uri, { kind: 'anew' });
    }
  },
};
