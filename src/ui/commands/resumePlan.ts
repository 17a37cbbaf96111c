import { beginPlan } from '../workflow/beginPlan.ts';
import { choosePlan } from './choosePlan.ts';
import type { Command } from './command.ts';

/** Goes on with a plan where it stopped; what is done is not repeated. */
export const resumePlan: Command = {
  id: 'brev.resumePlan',
  run: async (parts, argument) => {
    const uri = await choosePlan(argument);
    if (uri !== undefined) {
      await beginPlan(parts, uri, { kind: 'resume' });
    }
  },
};
