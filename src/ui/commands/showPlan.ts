import { choosePlan } from './choosePlan.ts';
import type { Command } from './command.ts';

/** Shows the graph of a plan. */
export const showPlan: Command = {
  id: 'brev.showPlan',
  run: async (parts, argument) => {
    const uri = await choosePlan(argument);
    if (uri !== undefined) {
      (await parts.plans()).panels.show(uri);
    }
  },
};
