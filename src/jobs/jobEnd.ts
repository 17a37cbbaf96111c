import type { JobEnd } from '../platforms/platform.ts';
import type { ActionId } from '../values/failure.ts';
import { type Message, message } from '../values/message.ts';
import type { TerminalState } from './record.ts';
import type { Transition } from './recordStore.ts';

/** What a job's end means: the record's transition, the sentence for the user, and what helps. */
export interface Verdict {
  readonly transition: Transition;
  readonly sentence: Message;
  readonly action: ActionId | undefined;
}

/** Judges how a job ended. Only a seen exit code is a verdict; everything else is unknown, never a guess. */
export function judge(end: JobEnd): Verdict {
  const because = end.error === '' ? '' : `: ${end.error}`;
  switch (end.step) {
    case 'cancel':
      return verdict('CANCELED', `canceled${because}`, message('cancelled'));
    case 'lost':
      return verdict('UNKNOWN', end.error, message('lost: {0}', end.error));
    case 'interrupted':
      return infra(`interrupted: ${end.error}`, message('interrupted: {0}', end.error));
    case 'launch':
      return infra(`not launched${because}`, message('it was never launched on the instance'));
    case 'docker':
      return infra(
        `docker is not usable${because}`,
        message('docker is not usable on the instance: {0}', end.error),
      );
    case 'login':
      return infra(
        `login to nvcr.io was refused${because}`,
        message('NGC refused the key, so the image could not be pulled: {0}', end.error),
        'enterNgcKey',
      );
    case 'pull':
      return pullFailed(end.error);
    case 'create':
      return infra(`container could not start${because}`, startFailed(end.error));
    case 'run':
      return ran(end);
  }
}

/** What a record says of the end of a job, where how it came to that isn't known any more. */
export function verdictOf(state: TerminalState, words: string): Pick<Verdict, 'sentence' | 'action'> {
  const sentence =
    state === 'COMPLETE'
      ? message('finished with exit code 0')
      : state === 'CANCELED'
        ? message('cancelled')
        : message('failed: {0}', words);
  return { sentence, action: undefined };
}

/** Why an image could not be pulled, in docker's words (tao.md part 3, sample 13; users.md F). */
function pullFailed(error: string): Verdict {
  const words = `image pull failed: ${error}`;
  if (/403 Forbidden|no entitlement/i.test(error)) {
    return infra(words, message('your NGC account has no right to this image: {0}', error));
  }
  if (/unauthorized|denied|401/i.test(error)) {
    return infra(
      words,
      message('the image needs a login to NGC on this instance (user $oauthtoken, your NGC key as password)'),
      'enterNgcKey',
    );
  }
  if (/manifest unknown|not found/i.test(error)) {
    return infra(words, message('there is no such image or tag: {0}', error));
  }
  if (/no space left/i.test(error)) {
    return infra(words, message("the instance's disk is too full for the image"));
  }
  if (/toomanyrequests/i.test(error)) {
    return infra(words, message('the registry wants fewer pulls: try again later'));
  }
  return infra(words, message('the image could not be pulled: {0}', error));
}

function startFailed(error: string): Message {
  return /could not select device driver|nvidia-container/i.test(error)
    ? message(
        'docker on the instance cannot use its GPUs (no NVIDIA container toolkit, or no GPU): {0}',
        error,
      )
    : message('the container could not start: {0}', error);
}

function ran(end: JobEnd): Verdict {
  if (end.exitCode === undefined) {
    return verdict('UNKNOWN', 'ended without an exit code', message('ended, but nobody saw how'));
  }
  if (end.exitCode === 0) {
    return verdict('COMPLETE', 'exit code 0', message('finished with exit code 0'));
  }
  if (end.outOfMemory) {
    return program(
      `out of memory, exit code ${end.exitCode}`,
      message('killed: the instance ran out of memory (not GPU memory), exit code {0}', end.exitCode),
    );
  }
  return program(`exit code ${end.exitCode}`, message('failed with exit code {0}', end.exitCode));
}

function infra(words: string, sentence: Message, action?: ActionId): Verdict {
  return {
    transition: { state: 'ERROR', message: words, errorClass: 'ERR_INFRA' },
    sentence,
    action,
  };
}

function program(words: string, sentence: Message): Verdict {
  return {
    transition: { state: 'ERROR', message: words, errorClass: 'ERR_PROGRAM' },
    sentence,
    action: undefined,
  };
}

function verdict(state: Transition['state'], words: string, sentence: Message): Verdict {
  return { transition: { state, message: words }, sentence, action: undefined };
}
