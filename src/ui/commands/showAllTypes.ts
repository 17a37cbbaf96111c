import { pressButton } from '../quickInput.ts';
import type { Command } from './command.ts';

/** In the list of types that fit a spec: shows all of them. Has a key of its own. */
export const showAllTypes: Command = {
  id: 'brev.showAllTypes',
  run: async () => pressButton('all'),
};
