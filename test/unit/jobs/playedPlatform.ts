import type {
  FollowEnd,
  FollowSink,
  JobEnd,
  JobTarget,
  Offsets,
  Platform,
  PlatformId,
} from '../../../src/platforms/platform.ts';
import { ok } from '../../../src/values/outcome.ts';

export const COMPLETE: JobEnd = { exitCode: 0, step: 'run', outOfMemory: false, error: '' };
export const FINISHED: FollowEnd = { kind: 'finished', end: COMPLETE };

/** One connection, as the test plays it. */
export type Connection = (
  sink: FollowSink,
  offsets: Offsets,
  signal: AbortSignal,
  target: JobTarget,
) => FollowEnd | Promise<FollowEnd>;

/** A platform whose answers are played by the test; connections one after another, the last one again and again. */
export class PlayedPlatform implements Platform {
  id: PlatformId = 'brev';
  /** From where each connection was asked for. */
  readonly asked: Offsets[] = [];
  readonly cancelled: JobTarget[] = [];
  readonly submitted: JobTarget[] = [];
  connections: Connection[];
  onSubmit: Platform['submit'] = async ({ target, onStep }) => {
    for (const step of ['checking', 'uploading', 'launching'] as const) {
      onStep(step);
    }
    return ok({ backendRef: `${target.instanceName}/${target.jobId}` });
  };
  onCancel: Platform['cancel'] = async () => ok(undefined);

  constructor(...connections: Connection[]) {
    this.connections = connections;
  }

  submit: Platform['submit'] = (job) => {
    this.submitted.push(job.target);
    return this.onSubmit(job);
  };

  results: Platform['results'] = async () => ({ kind: 'cancelled' });

  follow: Platform['follow'] = async (target, offsets, sink, signal) => {
    this.asked.push(offsets);
    const connection = this.connections.length > 1 ? this.connections.shift() : this.connections[0];
    return connection === undefined ? untilAborted(signal) : connection(sink, offsets, signal, target);
  };

  cancel: Platform['cancel'] = (target, signal) => {
    this.cancelled.push(target);
    return this.onCancel(target, signal);
  };
}

export const disconnected = (reason = 'the connection ended'): FollowEnd => ({
  kind: 'disconnected',
  reason,
});

/** A connection that says nothing until somebody ends it. */
export function untilAborted(signal: AbortSignal): Promise<FollowEnd> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ kind: 'cancelled' });
    if (signal.aborted) {
      end();
    } else {
      signal.addEventListener('abort', end, { once: true });
    }
  });
}
