import { showFailure } from '../showFailure.ts';
import type { Command } from './command.ts';

/** Looks at the instances now. */
export const refresh: Command = {
  id: 'brev.refresh',
  run: async (parts) => {
    const listed = await parts.store.refresh();
    if (listed.kind === 'ok' && listed.value.length > 0) {
      await parts.offers.load();
    }
    // an empty view shows the failure itself
    if (listed.kind === 'failed' && parts.store.listing.kind === 'stale') {
      await showFailure(listed.failure, parts.log);
    }
  },
};
