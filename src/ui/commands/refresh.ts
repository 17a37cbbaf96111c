import { showFailure } from '../showFailure.ts';
import type { Command } from './command.ts';

/** Looks at the instances now. */
export const refresh: Command = {
  id: 'brev.refresh',
  run: async (parts) => {
    const neededUser = parts.store.needsUser;
    const listed = await parts.store.refresh();
    if (listed.kind === 'ok' && listed.value.length > 0) {
      await parts.offers.load();
    }
    // an empty view shows the failure itself, and that only the user can help is told when it begins
    const told = parts.store.instances.length === 0 || (parts.store.needsUser && !neededUser);
    if (listed.kind === 'failed' && !told) {
      await showFailure(listed.failure, parts.log);
    }
  },
};
