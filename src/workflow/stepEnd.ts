import type { Job } from '../jobs/job.ts';
import { message } from '../values/message.ts';
import type { StepEnd } from './world.ts';

/**
 * What records say of jobs of which nothing ran nor ever will: their window was closed before it launched anything, or
 * the launch didn't get through and the instance lets none in any more.
 */
const NEVER_LAUNCHED = /^not launched: (?:its window was closed|it was never launched)/;

export function wasNeverLaunched({ note }: Pick<Job, 'note'>): boolean {
  return NEVER_LAUNCHED.test(note);
}

/** How a step's job ended; undefined while it goes on, or as long as nobody knows. */
export function stepEndOf({ note, state }: Pick<Job, 'note' | 'state'>): StepEnd | undefined {
  switch (state) {
    case 'COMPLETE':
      return { kind: 'complete' };
    case 'CANCELED':
      return { kind: 'cancelled' };
    case 'ERROR':
      return wasNeverLaunched({ note })
        ? { kind: 'neverLaunched' }
        : { kind: 'failed', reason: message('Its job failed: {0}', note) };
    case 'PENDING':
    case 'RUNNING':
    case 'UNKNOWN':
      return undefined;
  }
}

/** The end of a job whose state nobody could tell for too long. */
export function lost(job: Job | undefined): StepEnd {
  return {
    kind: 'unknown',
    reason: message('It is not known what state its job is in: {0}', job?.trouble ?? job?.note ?? ''),
  };
}
