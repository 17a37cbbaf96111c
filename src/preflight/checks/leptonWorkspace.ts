import { message } from '../../values/message.ts';
import { type Check, LOCAL_LIMIT_MS, notPassed, passed } from './check.ts';
import type { Fix } from './fix.ts';
import { leptonAccount } from './leptonAccount.ts';

/** Where a workspace's tokens are made. */
export const leptonPage: Fix = {
  kind: 'openUrl',
  title: message('Open DGX Cloud Lepton'),
  url: 'https://dashboard.dgxc-lepton.nvidia.com',
};

/** Is there a Lepton workspace and its token. Who doesn't use Lepton misses nothing. */
export const leptonWorkspace: Check = {
  id: 'leptonWorkspace',
  title: message('Lepton workspace'),
  limitMs: LOCAL_LIMIT_MS,
  run: async (context) => {
    const reading = await leptonAccount(context);
    switch (reading.kind) {
      case 'ok':
        return passed(message('Set up: {0}.', reading.account.workspaceId));
      case 'unusable':
        return notPassed('failed', reading.sentence, leptonPage);
      case 'absent':
        return notPassed('skipped', message('Not set up; only jobs on DGX Cloud Lepton need it.'));
    }
  },
};
