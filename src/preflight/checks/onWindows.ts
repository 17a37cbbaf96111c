import { message } from '../../values/message.ts';
import { type Check, LOCAL_LIMIT_MS, notPassed } from './check.ts';
import { command } from './fix.ts';

/** Windows has no native CLI; everything works from inside WSL. */
export const onWindows: Check = {
  id: 'windows',
  title: message('Windows'),
  limitMs: LOCAL_LIMIT_MS,
  run: async () =>
    notPassed(
      'failed',
      message(
        'There is no Brev CLI for Windows itself. Open this folder in WSL, and let this extension run there.',
      ),
      command(message('Run in WSL'), 'brev.useWsl'),
    ),
};

/** The other checks on Windows: they would look at the wrong system. */
export function skippedOnWindows({ id, title, limitMs }: Check): Check {
  return {
    id,
    title,
    limitMs,
    run: async () => notPassed('skipped', message('Checked once this extension runs in WSL.')),
  };
}
