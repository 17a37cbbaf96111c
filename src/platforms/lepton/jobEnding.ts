import type { JobEnd } from '../platform.ts';
import type { LeptonEvent } from './client.ts';
import type { StateMeaning } from './state.ts';

const PULL = /ImagePull|ErrImage|InvalidImageName|pull(?:ing)? image/i;
const MEMORY = /OOMKill|out of memory/i;
/** Kubernetes' events that tell why nothing ran; the ones about progress don't. */
const TROUBLE = /fail|evict|preempt|kill|backoff|unhealthy|lost|error|insufficient/i;

/**
 * How a job that is over ended. The state is the verdict; the exit codes, which only the log has, and the events say
 * why. Undefined while the state is no end.
 */
export function endOf(
  meaning: StateMeaning,
  exitCodes: readonly number[],
  events: readonly LeptonEvent[],
): JobEnd | undefined {
  switch (meaning.kind) {
    case 'completed':
      return { exitCode: 0, step: 'run', outOfMemory: false, error: '' };
    case 'stopped':
      return { exitCode: undefined, step: 'cancel', outOfMemory: false, error: '' };
    case 'archived':
      return lost('Lepton has only the archive of this job, which does not tell how it ended');
    case 'failed':
      return failedEnd(exitCodes, events);
    case 'pending':
    case 'running':
    case 'ending':
    case 'unknown':
      return undefined;
  }
}

/** The job isn't there any more, or never was. */
export function lost(error: string): JobEnd {
  return { exitCode: undefined, step: 'lost', outOfMemory: false, error };
}

function failedEnd(exitCodes: readonly number[], events: readonly LeptonEvent[]): JobEnd {
  const exitCode = exitCodes.find((code) => code !== 0);
  const outOfMemory = events.some(({ reason, message }) => MEMORY.test(`${reason} ${message}`));
  if (exitCode !== undefined) {
    return { exitCode, step: 'run', outOfMemory, error: '' };
  }
  const pull = events.find(({ reason, message }) => PULL.test(`${reason} ${message}`));
  if (pull !== undefined && exitCodes.length === 0) {
    return { exitCode: undefined, step: 'pull', outOfMemory: false, error: words(pull) };
  }
  if (outOfMemory) {
    return { exitCode: 137, step: 'run', outOfMemory, error: '' };
  }
  const trouble = events.filter(({ reason, message }) => TROUBLE.test(`${reason} ${message}`)).at(-1);
  return {
    exitCode: undefined,
    step: 'interrupted',
    outOfMemory: false,
    error: trouble === undefined ? 'Lepton says that it failed, and not why' : words(trouble),
  };
}

function words({ reason, message }: LeptonEvent): string {
  return message === '' ? reason : `${reason}: ${message}`;
}
