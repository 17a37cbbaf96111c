import { type Message, message } from '../../values/message.ts';
import { unreachable } from '../../values/unreachable.ts';
import { CALL_LIMIT_MS, type Check, type CheckContext, notPassed, passed } from './check.ts';
import { cliVersion } from './cliVersion.ts';
import { fixFor } from './fix.ts';

/** Is somebody signed in: the answer of the last real call is the one truth about that. */
export const signedIn: Check = {
  id: 'signedIn',
  title: message('Signed in'),
  after: { id: cliVersion.id, otherwise: message('Checked once there is a usable Brev CLI.') },
  limitMs: CALL_LIMIT_MS,
  run: async (context) => {
    const listing = await context.listing();
    switch (listing.kind) {
      case 'ok':
        return passed(how(context));
      case 'cancelled':
        return notPassed('unknown', message('Not checked.'));
      case 'failed':
        break;
    }
    const { failure } = listing;
    switch (failure.kind) {
      case 'signedOut':
      case 'tokenStale':
        return notPassed('failed', failure.message, fixFor(failure));
      // refused or without an organisation, but by name: a signed-out CLI would have said so
      case 'forbidden':
      case 'apiKeyLimited':
      case 'noOrganisation':
        return passed(how(context));
      default:
        return notPassed('unknown', failure.message);
    }
  },
};

function how({ tokenInUse, envFilePath }: CheckContext): Message {
  const token = tokenInUse();
  if (token === undefined || token.stale) {
    return message("By the Brev CLI's own sign-in.");
  }
  switch (token.source) {
    case 'environment':
      return message('By the token in the environment, BREV_API_TOKEN.');
    case 'envFile':
      return message('By the token in {0}, BREV_API_TOKEN.', envFilePath);
    case 'secretStore':
      return message("By the token in VS Code's secret storage.");
    default:
      return unreachable(token.source);
  }
}
