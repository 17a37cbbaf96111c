import type { Failure, FailureKind } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { cleanText, lastLine } from './cleanText.ts';
import { CATALOGUE } from './errorCatalogue.ts';

/** What a call printed, and how it ended; without an exit code it exited with 0. */
interface CliText {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode?: number | null;
}

type Rest = Omit<Failure, 'kind' | 'detail'>;

const SIGNED_OUT: Rest = {
  message: message('You are signed out of Brev.'),
  action: 'signIn',
  retrySafe: true,
};
const OFFLINE: Rest = {
  message: message('The connection to Brev broke. Check the network, a VPN or the proxy settings.'),
  action: 'refresh',
  retrySafe: true,
};

/** Recognises an error of the CLI; what isn't in the catalogue is shown by the CLI's own last line. */
export function recogniseError(command: string, text: CliText): Failure {
  const stdout = cleanText(text.stdout);
  const stderr = cleanText(text.stderr);
  const detail = `${stdout}\n${stderr}`.trim();
  const as = (kind: FailureKind, rest: Rest): Failure => ({ kind, ...rest, detail });

  if (command === 'create' && connectionLost(stderr) && !/would you like to log in\?/.test(stdout)) {
    return as('createOutcomeUnknown', {
      message: message('The connection to Brev broke while the instance was being created. It may exist.'),
      action: 'refresh',
      retrySafe: false,
    });
  }
  // stdout is data, or what a remote command said: it counts as an error's text only where there is no other
  const failedSilently = stderr === '' && text.exitCode !== undefined && command !== 'exec';
  for (const { pattern, ...known } of CATALOGUE) {
    const match = pattern.exec(stderr) ?? (known.onStdout || failedSilently ? pattern.exec(stdout) : null);
    if (match !== null) {
      return as(known.kind, {
        message: known.message(match),
        retrySafe: known.retrySafe && !(command === 'create' && known.doneMaybe === true),
        ...(known.action === undefined ? {} : { action: known.action }),
      });
    }
  }
  const last = lastLine(failedSilently ? text.stdout : text.stderr);
  if (/\bEOF$/.test(last)) {
    // alone it ends the prompt of a signed-out CLI (part 2 and 17); after a request it ends a connection
    return /"https?:|unexpected EOF$/.test(last) ? as('offline', OFFLINE) : as('signedOut', SIGNED_OUT);
  }
  const line = last || lastLine(text.stdout);
  if (text.exitCode === 2) {
    return as('crashed', {
      message: message('The Brev CLI crashed: {0}', line),
      action: 'showLog',
      retrySafe: false,
    });
  }
  const said = rejection(stderr) ?? line;
  return as(/could only create \d+\/\d+ instances/.test(stderr) ? 'createFailed' : 'unexpected', {
    message:
      said === ''
        ? message('brev {0} failed without saying why.', command)
        : message('brev {0}: {1}', command, said),
    action: 'showLog',
    retrySafe: false,
  });
}

/** Whether the connection broke while an instance may have been asked for; looking things up before asks for none. */
function connectionLost(stderr: string): boolean {
  return stderr
    .split('\n')
    .some(
      (line) =>
        /\bEOF$|connection reset by peer$|broken pipe$|deadline exceeded/.test(line) && !/\bGet "/.test(line),
    );
}

/** Why the last create was rejected: it stands in the middle of the text, not at its end (brev-cli.md part 5). */
function rejection(text: string): string | undefined {
  const start = text.lastIndexOf(' Failed: ');
  if (start < 0 || !/^\[Worker \d+\] \S+$/.test(text.slice(text.lastIndexOf('\n', start) + 1, start))) {
    return undefined;
  }
  const reason = text.slice(start + ' Failed: '.length);
  return /^(?:(?!\n+(?:Type \S+ had failures|Warning: Only created)).)*/s.exec(reason)?.[0].trim();
}
