import type { ActionId, FailureKind } from '../values/failure.ts';
import { type Message, message } from '../values/message.ts';

export interface KnownError {
  readonly kind: FailureKind;
  readonly pattern: RegExp;
  readonly message: (match: RegExpExecArray) => Message;
  readonly action?: ActionId;
  readonly retrySafe: boolean;
  /** The text stands on stdout too; nothing else is looked for there, where data and remote output are. */
  readonly onStdout?: boolean;
  /** The request may have had its effect all the same: a create must not be repeated. */
  readonly doneMaybe?: boolean;
}

type Options = Partial<Pick<KnownError, 'action' | 'retrySafe' | 'onStdout' | 'doneMaybe'>>;

const known = (
  kind: FailureKind,
  pattern: RegExp,
  sentence: (match: RegExpExecArray) => Message,
  options: Options = {},
): KnownError => ({ kind, pattern, message: sentence, retrySafe: false, ...options });

const group = (match: RegExpExecArray, index: number): string => match[index] ?? '';

/**
 * The catalogue of errors, most telling first (texts: brev-cli.md part 16, users.md). Names of instances and types
 * stand in these texts: whatever is matched in general must not match a name.
 */
export const CATALOGUE: readonly KnownError[] = [
  known(
    'crashed',
    /^(?:panic|fatal error): (.+)$/m,
    (match) => message('The Brev CLI crashed: {0}', group(match, 1)),
    {
      action: 'showLog',
    },
  ),
  known(
    'tokenStale',
    /^WARN: malformed refresh token, logging out$|invalid refresh token/m,
    () => message('The stored Brev token is not usable any more. Sign in again.'),
    { action: 'signIn', retrySafe: true, onStdout: true },
  ),
  known(
    'signedOut',
    /You are currently logged out, would you like to log in|declined to login$/m,
    () => message('You are signed out of Brev.'),
    { action: 'signIn', retrySafe: true, onStdout: true },
  ),
  known(
    'apiKeyLimited',
    /api key auth cannot (.+)$/m,
    (match) =>
      message('A Brev API key cannot {0}. Sign in with a token or in the browser for that.', group(match, 1)),
    { action: 'signIn' },
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
    'serverError',
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
  known('noSshAccess', /you don't have SSH access to node "(.+?)"|Permission denied \(publickey/, () =>
    message('You have no SSH access to this machine. Ask an administrator of the organisation.'),
  ),
  known(
    'notReadyYet',
    /still connecting — try again shortly|cannot resolve SSH for node "(.+?)"/,
    () => message('The machine is still connecting. Try again in a moment.'),
    { action: 'waitUntilReady' },
  ),
  known(
    'instanceNotFound',
    /instance with id\/name (.+?) not found|could not look up instance "(.+?)"/,
    (match) => message('There is no instance {0} (any more).', group(match, 1) || group(match, 2)),
    { action: 'refresh' },
  ),
  known(
    'hostUnresolvable',
    /Could not resolve hostname (\S+?):|hostname not resolvable/i,
    () => message('The instance has no reachable address yet. Wait until it is ready.'),
    { action: 'waitUntilReady' },
  ),
  known(
    'unreachable',
    /could not connect to instance "(.+?)":|kex_exchange_identification|Connection closed by UNKNOWN|Connection timed out during banner exchange|websocket: bad handshake|ssh: connect to host \S+ port \d+:|exit status 255\s*$/,
    () =>
      message(
        'The instance is running, and billing, but does not answer over SSH. Its disk and jobs may be fine; wait or restart it before you delete anything.',
      ),
    { action: 'waitUntilReady' },
  ),
  // before all that may stand in the output of a remote command
  known(
    'remoteFailed',
    /exit status (\d+)\s*$/,
    (match) => message('The command on the instance failed with exit code {0}.', group(match, 1)),
    { action: 'showLog' },
  ),
  known(
    'localFile',
    /(?:open|mkdir|rename|write|chmod|stat|remove|unlink|fork\/exec) (\S+): (permission denied|read-only file system|no space left on device|no such file or directory|too many open files|argument list too long)/,
    (match) =>
      message('The Brev CLI has trouble with {0} on this computer: {1}.', group(match, 1), group(match, 2)),
    { action: 'showLog' },
  ),
  known(
    'noOrganisation',
    /no orgs exist|no org found with name/,
    () => message('Brev knows no such organisation for this account.'),
    { action: 'signIn' },
  ),
  known(
    'placementNeeded',
    /(?<![\w'".-])placement(?![\w'".-])|cloud[-_ ]?cred(?:ential)?[-_ ]?id|workspace-?group-?id/i,
    () =>
      message(
        'This account has several places where an instance can run. Choose the cloud credential and workspace group.',
      ),
    { action: 'pickPlacement' },
  ),
  known(
    'noCapacity',
    /\b(?:no|insufficient|not enough|out of) capacity\b|capacity is not available/i,
    () => message('There is no capacity for this machine right now. Try again later.'),
    { action: 'refresh', retrySafe: true },
  ),
  known(
    'instanceStarting',
    /\balready (?:being )?(starting|started|running)\b/i,
    (match) => message('The instance is not stopped; its state is {0}.', group(match, 1).toUpperCase()),
    { action: 'refresh' },
  ),
  known(
    'forbidden',
    /(?<![\w'"./:-])403(?![\w'"./-])|\bforbidden\b|\bpermission denied\b|not authori[sz]ed to/i,
    () =>
      message(
        'Your Brev account is not allowed to do this. You are signed in; ask an administrator, or use a key with more rights.',
      ),
    { action: 'showLog' },
  ),
  known(
    'signedOut',
    /(?<![\w'"./:-])401(?![\w'"./-])|\bunauthenticated\b|\bunauthorized\b/i,
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
    /\b50\d (?:internal|not implemented|bad gateway|service|gateway)|status(?: code)?:? ?50\d|\(50\d\)|internal (?:server )?error|bad gateway|service unavailable|gateway time-?out|error retrieving token|invalid character '<' looking for/i,
    () => message('Brev answered with an error of its own. Try again in a moment.'),
    { action: 'refresh', retrySafe: true, doneMaybe: true },
  ),
  known(
    'unreadableAnswer',
    /unexpected end of JSON input/,
    () => message('Brev gave an incomplete answer.'),
    { action: 'refresh', retrySafe: true, doneMaybe: true },
  ),
  // stands before every answer where the token's issuer is another one: only what says nothing else is meant here
  known(
    'tokenStale',
    /^no oauth found for token$/m,
    () => message('The stored Brev token is not usable any more. Sign in again.'),
    { action: 'signIn', retrySafe: true, onStdout: true },
  ),
];
