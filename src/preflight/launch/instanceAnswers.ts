import { message } from '../../values/message.ts';
import type { Outcome } from '../../values/outcome.ts';
import type { LaunchContext } from './context.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';
import type { RemoteFacts } from './remoteFacts.ts';

/** Does a command on the instance work. Undefined facts: it wasn't asked. */
export function instanceAnswers(
  { instance }: LaunchContext,
  facts: Outcome<RemoteFacts> | undefined,
): LaunchCheck {
  const line = lineOf('instanceAnswers', message('Connection to the instance'));
  switch (facts?.kind) {
    case undefined:
      return line('skipped', message('Checked once the instance is on and you are signed in.'));
    case 'cancelled':
      return line('skipped', message('Not checked.'));
    case 'failed':
      return line(
        'failed',
        facts.failure.message,
        facts.failure.action === 'signIn' || facts.failure.action === 'enterToken'
          ? { kind: 'signIn' }
          : undefined,
      );
    case 'ok':
      return line('passed', message('{0} runs commands.', instance.name));
  }
}
