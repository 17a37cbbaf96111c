import { message } from '../../values/message.ts';
import type { LaunchContext } from './context.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';
import { waitFor } from './timeLimit.ts';

const LIMIT_MS = 90_000;
const line = lineOf('signedIn', message('Brev account'));

/** Is somebody signed in, and can the instances be listed. */
export async function signedIn(context: LaunchContext, signal: AbortSignal): Promise<LaunchCheck> {
  const waited = await waitFor(context.listWorks(), { clock: context.clock, ms: LIMIT_MS }, signal);
  switch (waited.kind) {
    case 'timedOut':
      return line(
        'failed',
        message(
          'The list of instances did not come within {0} seconds. Check the network, then try again.',
          LIMIT_MS / 1_000,
        ),
      );
    case 'cancelled':
      return line('skipped', message('Not checked.'));
    case 'done':
      break;
  }
  const listed = waited.value;
  switch (listed.kind) {
    case 'ok':
      return line('passed', message('Signed in, and the instances can be listed.'));
    case 'cancelled':
      return line('skipped', message('Not checked.'));
    case 'failed': {
      const { action, message: sentence } = listed.failure;
      return line(
        'failed',
        sentence,
        action === 'signIn' || action === 'enterToken' ? { kind: 'signIn' } : undefined,
      );
    }
  }
}
