import { message } from '../../values/message.ts';
import { type Check, LOCAL_LIMIT_MS, notPassed, passed } from './check.ts';
import { enterCredential, type Fix } from './fix.ts';

/** Where a workspace's tokens are made. */
export const leptonPage: Fix = {
  kind: 'openUrl',
  title: message('Open DGX Cloud Lepton'),
  url: 'https://dashboard.dgxc-lepton.nvidia.com',
};

/** A token is made on that page; pasted as id:token it is all that is needed. */
export const enterLeptonToken: Fix = enterCredential(
  message('Enter the Lepton Token…'),
  'LEPTON_WORKSPACE_TOKEN',
);

/** Is there a Lepton workspace and its token. Who doesn't use Lepton misses nothing. */
export const leptonWorkspace: Check = {
  id: 'leptonWorkspace',
  title: message('Lepton workspace'),
  limitMs: LOCAL_LIMIT_MS,
  run: async (context) => {
    const reading = await context.leptonAccount();
    switch (reading.kind) {
      case 'ok':
        return passed(message('Set up: {0}.', reading.account.workspaceId));
      case 'unusable':
        return notPassed(
          'failed',
          reading.sentence,
          reading.variable === 'LEPTON_WORKSPACE_TOKEN'
            ? enterLeptonToken
            : enterCredential(message('Enter {0}…', reading.variable), reading.variable),
        );
      case 'absent':
        return notPassed(
          'skipped',
          message('Not set up; only jobs on DGX Cloud Lepton need it.'),
          enterLeptonToken,
        );
    }
  },
};
