import { message } from '../../values/message.ts';
import { CALL_LIMIT_MS, type Check, notPassed, passed } from './check.ts';
import { leptonClient } from './leptonClient.ts';
import { enterLeptonToken, leptonPage, leptonWorkspace } from './leptonWorkspace.ts';

const otherwise = message('Checked once a Lepton workspace is set up.');

/** Does the workspace accept the token. */
export const leptonToken: Check = {
  id: 'leptonToken',
  title: message('Lepton token'),
  after: { id: leptonWorkspace.id, otherwise },
  limitMs: CALL_LIMIT_MS,
  run: async (context, signal) => {
    const client = await leptonClient(context);
    if (client === undefined) {
      return notPassed('skipped', otherwise);
    }
    const outcome = await client.probe(signal);
    switch (outcome.kind) {
      case 'ok':
        return passed(message('Lepton accepts it.'));
      case 'cancelled':
        return notPassed('unknown', message('Not checked.'));
      case 'failed': {
        const { failure } = outcome;
        const isRefusal =
          failure.kind === 'tokenStale' || failure.kind === 'forbidden' || failure.kind === 'jobLost';
        // an outage says nothing about the token
        return isRefusal
          ? notPassed(
              'failed',
              failure.message,
              failure.kind === 'tokenStale' ? enterLeptonToken : leptonPage,
            )
          : notPassed('unknown', failure.message);
      }
    }
  },
};
