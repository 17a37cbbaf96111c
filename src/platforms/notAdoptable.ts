import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import type { JobTarget } from './platform.ts';

/** A job of somebody else that can only be shown. */
export function notAdoptable({ jobId }: Pick<JobTarget, 'jobId'>): Failure {
  return {
    kind: 'jobLost',
    message: message(
      '{0} cannot be followed from here: its record does not say which container it is.',
      jobId,
    ),
    retrySafe: true,
  };
}
