import type { Failure } from '../../values/failure.ts';
import { type Message, message } from '../../values/message.ts';

/** What a refusal of the service means for the user. */
export function refused(status: number, detail: string): Failure {
  if (status === 401) {
    return {
      kind: 'tokenStale',
      message: message(
        'Lepton does not accept the token. Make a new one on its page for tokens and enter it.',
      ),
      action: 'enterLeptonToken',
      retrySafe: true,
      detail,
    };
  }
  if (status === 403) {
    return {
      kind: 'forbidden',
      message: message('The token is good, but it has no right to do this in the Lepton workspace.'),
      retrySafe: true,
      detail,
    };
  }
  if (status === 404) {
    return {
      kind: 'jobLost',
      message: message(
        'Lepton does not know what was asked for. It may have been deleted, or the workspace is another one.',
      ),
      retrySafe: true,
      detail,
    };
  }
  if (status >= 500 || status === 429) {
    return {
      kind: 'serverError',
      message: message(
        'Lepton has trouble of its own or too much to do (HTTP {0}). Try again later.',
        status,
      ),
      retrySafe: true,
      detail,
    };
  }
  return {
    kind: 'unexpected',
    message: message('Lepton refused the request (HTTP {0}): {1}', status, firstWords(detail)),
    action: 'showLog',
    retrySafe: true,
    detail,
  };
}

export function unreadable(detail: string): Failure {
  return {
    kind: 'unreadableAnswer',
    message: message('What Lepton answered could not be read.'),
    action: 'showLog',
    retrySafe: true,
    detail,
  };
}

export function offline(code: string): Failure {
  return {
    kind: 'offline',
    message: message(
      'Lepton cannot be reached ({0}). Check the network and the address of the workspace.',
      code || '?',
    ),
    retrySafe: true,
  };
}

export function timedOut(seconds: number): Failure {
  return {
    kind: 'timedOut',
    message: message('Lepton did not answer within {0} seconds.', seconds),
    retrySafe: true,
  };
}

/** Found before anything is sent. */
export function unusableJob(sentence: Message): Failure {
  return { kind: 'unexpected', message: sentence, retrySafe: true };
}

/** The service's sentence where it has one, and not its whole answer. */
function firstWords(body: string): string {
  const said = /"(?:message|error|detail)"\s*:\s*"((?:[^"\\]|\\.){1,300})"/.exec(body)?.[1] ?? body;
  return said.replace(/\s+/g, ' ').trim().slice(0, 300);
}
