import { message } from '../../values/message.ts';
import { CALL_LIMIT_MS, type Check, notPassed, passed } from './check.ts';
import { leptonClient } from './leptonClient.ts';
import { leptonToken } from './leptonToken.ts';
import { leptonPage } from './leptonWorkspace.ts';

const otherwise = message('Checked once Lepton accepts the token.');

/** Is there anything in the workspace that a job could run on. */
export const leptonNodeGroups: Check = {
  id: 'leptonNodeGroups',
  title: message('Lepton node groups'),
  after: { id: leptonToken.id, otherwise },
  limitMs: CALL_LIMIT_MS,
  run: async (context, signal) => {
    const client = await leptonClient(context);
    if (client === undefined) {
      return notPassed('skipped', otherwise);
    }
    const groups = await client.nodeGroups(signal);
    switch (groups.kind) {
      case 'ok':
        return groups.value.length === 0
          ? notPassed('warning', message('The workspace has no node group that this token sees.'), leptonPage)
          : passed(message('{0}.', groups.value.join(', ')));
      case 'cancelled':
        return notPassed('unknown', message('Not checked.'));
      case 'failed':
        return notPassed(groups.failure.kind === 'forbidden' ? 'failed' : 'unknown', groups.failure.message);
    }
  },
};
