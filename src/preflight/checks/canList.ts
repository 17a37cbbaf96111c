import { message } from '../../values/message.ts';
import { CALL_LIMIT_MS, type Check, type CheckResult, notPassed, passed } from './check.ts';
import { cliVersion } from './cliVersion.ts';
import { fixFor } from './fix.ts';

/** Can the instances be listed. */
export const canList: Check = {
  id: 'canList',
  title: message('List of instances'),
  after: { id: cliVersion.id, otherwise: message('Checked once there is a usable Brev CLI.') },
  limitMs: CALL_LIMIT_MS,
  run: async (context) => {
    const listing = await context.listing();
    switch (listing.kind) {
      case 'ok':
        return listed(listing.value.rows.length, listing.value.unreadable);
      case 'cancelled':
        return notPassed('unknown', message('Not checked.'));
      case 'failed': {
        const { failure } = listing;
        return failure.kind === 'signedOut' || failure.kind === 'tokenStale'
          ? notPassed('skipped', message('Checked once you are signed in.'))
          : notPassed('failed', failure.message, fixFor(failure));
      }
    }
  },
};

function listed(readable: number, unreadable: number): CheckResult {
  if (unreadable > 0) {
    return notPassed(
      'warning',
      message('{0} instances; {1} more could not be read.', readable, unreadable),
      undefined,
    );
  }
  return passed(readable === 1 ? message('1 instance.') : message('{0} instances.', readable));
}
