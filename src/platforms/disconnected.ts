import type { Failure, FailureKind } from '../values/failure.ts';
import { inEnglish } from '../values/message.ts';
import type { FollowEnd } from './platform.ts';

export type Disconnected = Extract<FollowEnd, { kind: 'disconnected' }>;

/** What asking again does not cure: somebody has to give a right first. A sign-in that is missing is waited for elsewhere. */
const REFUSALS: ReadonlySet<FailureKind> = new Set(['forbidden', 'noSshAccess', 'apiKeyLimited']);

/** The end of a connection, not of the job, by a failure. */
export function disconnectedBy({ kind, message }: Failure): Disconnected {
  return {
    kind: 'disconnected',
    reason: inEnglish(message),
    ...(kind === 'instanceNotFound' ? { gone: true } : {}),
    ...(REFUSALS.has(kind) ? { refused: true } : {}),
  };
}
