import type { ActionId, Failure, FailureKind } from '../values/failure.ts';
import { type Message, message } from '../values/message.ts';
import { cleanText, lastLine } from './cleanText.ts';

/** Where a text was seen. */
interface CliText {
  readonly stdout: string;
  readonly stderr: string;
}

interface KnownError {
  readonly kind: FailureKind;
  readonly pattern: RegExp;
  readonly message: (match: RegExpExecArray) => Message;
  readonly action?: ActionId;
  readonly retrySafe: boolean;
}

const known = (
  kind: FailureKind,
  pattern: RegExp,
  sentence: (match: RegExpExecArray) => Message,
  options: { action?: ActionId; retrySafe?: boolean } = {},
): KnownError => ({
  kind,
  pattern,
  message: sentence,
  retrySafe: options.retrySafe ?? false,
  ...(options.action === undefined ? {} : { action: options.action }),
});

const group = (match: RegExpExecArray, index: number): string => match[index] ?? '';

/** The catalogue of errors, most telling first (texts: brev-cli.md part 16, users.md). */
const CATALOGUE: readonly KnownError[] = [
  known('crashed', /^panic: (.+)$/m, (match) => message('The Brev CLI crashed: {0}', group(match, 1)), {
    action: 'showLog',
  }),
  known(
    'tokenStale',
    /WARN: malformed refresh token, logging out|invalid refresh token/,
    () => message('The stored Brev token is not usable any more. Sign in again.'),
    { action: 'signIn', retrySafe: true },
  ),
  known(
    'signedOut',
    /You are currently logged out, would you like to log in|declined to login$/m,
    () => message('You are signed out of Brev.'),
    { action: 'signIn', retrySafe: true },
  ),
  known(
    'apiKeyLimited',
    /api key auth cannot (.+)$/m,
    (match) =>
      message('A Brev API key cannot {0}. Sign in with a token or in the browser for that.', group(match, 1)),
    { action: 'signIn' },
  ),
  known(
    'placementNeeded',
    /placement|cloud-?cred-?id|workspace-?group-?id/i,
    () =>
      message(
        'This account has several places where an instance can run. Choose the cloud credential and workspace group.',
      ),
    { action: 'pickPlacement' },
  ),
  known(
    'unsupportedFlag',
    /unknown (?:shorthand )?flag: (.+)$|unknown command "(.+?)" for/m,
    (match) =>
      message('The installed Brev CLI does not know {0}. Update it.', group(match, 1) || group(match, 2)),
    { action: 'openInstallPage' },
  ),
  known('nameTaken', /workspace '(.+)' already exists|duplicate (?:workspace|instance)/, (match) =>
    message('There is already an instance named {0}. Choose another name.', group(match, 1) || '…'),
  ),
  known(
    'unknownType',
    /instance type "(.+?)" is not a recognized type/,
    (match) => message('Brev does not know the instance type {0}. Pick one from the list.', group(match, 1)),
    { action: 'pickOffer' },
  ),
  known(
    'noCapacity',
    /instance type "(.+?)" is currently unavailable/,
    (match) =>
      message(
        '{0} is sold out right now. Pick another type with the same GPU, or try later.',
        group(match, 1),
      ),
    { action: 'pickOffer' },
  ),
  known(
    'createOutcomeUnknown',
    /could not resolve workspace group for "(.+?)"/,
    () => message('Brev could not say which types are available. Nothing was created; try again.'),
    { retrySafe: true },
  ),
  known(
    'notStoppable',
    /instance "(.+?)" does not support stop\./,
    (match) => message('{0} cannot be stopped: only deleting it ends the billing.', group(match, 1)),
    { action: 'deleteInstance' },
  ),
  known(
    'instanceNotRunning',
    /instance "(.+?)" is in state "(.+?)"/,
    (match) => message('{0} is {1}; wait until it is ready.', group(match, 1), group(match, 2)),
    { action: 'waitUntilReady' },
  ),
  known(
    'instanceStarting',
    /Instance is not stopped status=(\w+)/,
    (match) => message('The instance is not stopped; its state is {0}.', group(match, 1)),
    { action: 'refresh' },
  ),
  known('noSshAccess', /you don't have SSH access to node "(.+?)"|Permission denied \(publickey/, () =>
    message('You have no SSH access to this machine. Ask an administrator of the organisation.'),
  ),
  known(
    'sshConfigBroken',
    /workspace (\S+) has empty SSH user/,
    (match) =>
      message(
        'Brev cannot refresh its SSH settings because instance {0} has no user yet. Wait for it, or delete it.',
        group(match, 1),
      ),
    { action: 'refresh', retrySafe: true },
  ),
  known(
    'sshConfigBroken',
    /too long for Unix domain socket/,
    () =>
      message(
        'The path of the SSH control socket is too long on this machine. Update the Brev CLI to 0.6.323 or later.',
      ),
    { action: 'openInstallPage' },
  ),
  known(
    'unreachable',
    /could not connect to instance "(.+?)":|kex_exchange_identification|Connection closed by UNKNOWN|Connection timed out during banner exchange|websocket: bad handshake/,
    () =>
      message(
        'The instance is running, and billing, but does not answer over SSH. Its disk and jobs may be fine; wait or restart it before you delete anything.',
      ),
    { action: 'waitUntilReady' },
  ),
  known(
    'hostUnresolvable',
    /Could not resolve hostname (\S+?):|hostname not resolvable/i,
    () => message('The instance has no reachable address yet. Wait until it is ready.'),
    { action: 'waitUntilReady' },
  ),
  known(
    'instanceNotFound',
    /instance with id\/name (.+?) not found|could not look up instance "(.+?)"/,
    (match) => message('There is no instance {0} (any more).', group(match, 1) || group(match, 2)),
    { action: 'refresh' },
  ),
  known(
    'noOrganisation',
    /no orgs exist|no org found with name|index out of range/,
    () => message('Brev knows no such organisation for this account.'),
    { action: 'signIn' },
  ),
  known(
    'forbidden',
    /\b403\b|forbidden|permission denied|not authori[sz]ed to/i,
    () =>
      message(
        'Your Brev account is not allowed to do this. You are signed in; ask an administrator, or use a key with more rights.',
      ),
    { action: 'showLog' },
  ),
  known(
    'signedOut',
    /\b401\b|unauthenticated|unauthorized/i,
    () => message('Brev does not accept the sign-in any more. Sign in again.'),
    { action: 'signIn', retrySafe: true },
  ),
  known(
    'offline',
    /dial tcp|connection refused|no such host|possible internet connection problem|i\/o timeout|TLS handshake/i,
    () => message('Brev cannot be reached. Check the network, a VPN or the proxy settings.'),
    { action: 'refresh', retrySafe: true },
  ),
  known(
    'serverError',
    /\b50[0-9]\b|error retrieving token|invalid character '<' looking for/,
    () => message('Brev answered with an error of its own. Try again in a moment.'),
    { action: 'refresh', retrySafe: true },
  ),
  known(
    'unreadableAnswer',
    /unexpected end of JSON input/,
    () => message('Brev gave an incomplete answer.'),
    { action: 'refresh', retrySafe: true },
  ),
];

/** Recognises an error of the CLI; what isn't in the catalogue is shown by the CLI's own last line. */
export function recogniseError(command: string, text: CliText): Failure {
  const cleaned = `${cleanText(text.stdout)}\n${cleanText(text.stderr)}`;
  const detail = cleaned.trim();
  for (const error of CATALOGUE) {
    const match = error.pattern.exec(cleaned);
    if (match) {
      return {
        kind: error.kind,
        message: error.message(match),
        retrySafe: error.retrySafe,
        detail,
        ...(error.action === undefined ? {} : { action: error.action }),
      };
    }
  }
  // the last line alone: EOF ends the prompt of a signed-out CLI (part 2), whatever stood before
  if (/(?:^|\n|: )(?:unexpected )?EOF$/.test(detail)) {
    return command === 'create'
      ? {
          kind: 'createOutcomeUnknown',
          message: message(
            'The connection to Brev broke while the instance was being created. It may exist.',
          ),
          action: 'refresh',
          retrySafe: false,
          detail,
        }
      : {
          kind: 'signedOut',
          message: message('You are signed out of Brev.'),
          action: 'signIn',
          retrySafe: true,
          detail,
        };
  }
  const line = rejection(detail) ?? (lastLine(text.stderr) || lastLine(text.stdout));
  return {
    kind: 'unexpected',
    message:
      line === ''
        ? message('brev {0} failed without saying why.', command)
        : message('brev {0}: {1}', command, line),
    action: 'showLog',
    retrySafe: false,
    detail,
  };
}

/** Why the last create was rejected: it stands in the middle of the text, not at its end (brev-cli.md part 5). */
function rejection(text: string): string | undefined {
  const reasons = [...text.matchAll(/^\[Worker \d+\] \S+ Failed: ([\s\S]*?)\n+(?=Type \S+ had failures)/gm)];
  return reasons.at(-1)?.[1]?.trim();
}
