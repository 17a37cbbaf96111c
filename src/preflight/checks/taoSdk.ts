import { message } from '../../values/message.ts';
import { type Check, HELP_LIMIT_MS, notPassed, passed } from './check.ts';
import { command } from './fix.ts';

const install = command(message('Install the TAO SDK…'), 'brev.installSdk');

/** Can jobs go through the TAO SDK. Who doesn't use it misses nothing. */
export const taoSdk: Check = {
  id: 'taoSdk',
  title: message('TAO SDK'),
  limitMs: HELP_LIMIT_MS,
  run: async (context) => {
    const found = await context.sdk();
    if (found.kind === 'absent') {
      return notPassed('skipped', message('Not set up; only jobs through the TAO SDK need it.'), install);
    }
    const { versions } = found;
    switch (versions.kind) {
      case 'cancelled':
        return notPassed('unknown', message('Not checked.'));
      case 'failed':
        return notPassed('failed', versions.failure.message, install);
      case 'ok': {
        const { executable, isTooOld, python, sdk } = versions.value;
        if (isTooOld) {
          return notPassed(
            'failed',
            message(
              'The TAO SDK needs Python 3.10 or newer; {0} is {1}. Set another one in brev.sdk.python.',
              executable,
              python,
            ),
          );
        }
        return sdk === undefined
          ? notPassed('failed', message('The TAO SDK is not installed for {0}.', executable), install)
          : passed(message('Version {0}, on Python {1}: {2}.', sdk, python, executable));
      }
    }
  },
};
