import type { JobEnd } from '../platforms/platform.ts';
import { type Message, message } from '../values/message.ts';
import type { Transition } from './recordStore.ts';

/** What a job's end means: the record's transition, and the sentence for the user. */
export interface Verdict {
  readonly transition: Transition;
  readonly sentence: Message;
}

/** Judges how a job ended. Only a seen exit code is a verdict; everything else is unknown, never a guess. */
export function judge(end: JobEnd): Verdict {
  const because = end.error === '' ? '' : `: ${end.error}`;
  switch (end.step) {
    case 'cancel':
      return verdict('CANCELED', `canceled${because}`, message('canceled'));
    case 'lost':
      return verdict('UNKNOWN', end.error, message('lost: {0}', end.error));
    case 'docker':
      return verdict(
        'ERROR',
        `docker is not usable${because}`,
        message('docker is not usable on the instance: {0}', end.error),
        'ERR_INFRA',
      );
    case 'pull':
      return verdict(
        'ERROR',
        `image pull failed${because}`,
        message('the image could not be pulled: {0}', end.error),
        'ERR_INFRA',
      );
    case 'create':
      return verdict(
        'ERROR',
        `container could not start${because}`,
        message('the container could not start: {0}', end.error),
        'ERR_INFRA',
      );
    case 'run':
      return ran(end);
  }
}

function ran(end: JobEnd): Verdict {
  if (end.exitCode === undefined) {
    return verdict('UNKNOWN', 'ended without an exit code', message('ended, but nobody saw how'));
  }
  if (end.exitCode === 0) {
    return verdict('COMPLETE', 'exit code 0', message('finished with exit code 0'));
  }
  if (end.outOfMemory) {
    return verdict(
      'ERROR',
      `out of memory, exit code ${end.exitCode}`,
      message('killed: the instance ran out of memory (not GPU memory), exit code {0}', end.exitCode),
      'ERR_PROGRAM',
    );
  }
  return verdict(
    'ERROR',
    `exit code ${end.exitCode}`,
    message('failed with exit code {0}', end.exitCode),
    'ERR_PROGRAM',
  );
}

function verdict(
  state: Transition['state'],
  words: string,
  sentence: Message,
  errorClass?: Transition['errorClass'],
): Verdict {
  return {
    transition: { state, message: words, ...(errorClass === undefined ? {} : { errorClass }) },
    sentence,
  };
}
