import type { JobEnd, JobStream, JobTarget, Platform } from '../platforms/platform.ts';
import { type Clock, sleep } from '../process/clock.ts';
import type { LocalLog } from './localLog.ts';

export interface FollowOptions {
  readonly platform: Pick<Platform, 'follow'>;
  readonly target: JobTarget;
  readonly logs: Readonly<Record<JobStream, LocalLog>>;
  readonly clock: Clock;
  /** 0 to 1, for the jitter of the back-off. */
  readonly random: () => number;
  readonly onProgress: (progress: FollowProgress) => void;
  readonly signal: AbortSignal;
}

export type FollowProgress =
  | { readonly kind: 'bytes' }
  | { readonly kind: 'step'; readonly step: string }
  /** The remote file became shorter than the copy here, which keeps what it has. */
  | { readonly kind: 'truncated'; readonly stream: JobStream; readonly size: number }
  | {
      readonly kind: 'reconnecting';
      readonly reason: string;
      readonly inMs: number;
      /** Whether a fresh list doesn't show the instance any more. */
      readonly gone: boolean;
    };

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Where a right is missing, asking again is of no use, but somebody may give it. */
const REFUSED_PAUSE_MS = 5 * 60_000;
const LONGEST_REFUSED_PAUSE_MS = 60 * 60_000;

/**
 * Copies the remote log into the local one until the job has ended, over as many connections as it takes. A lost
 * connection isn't a lost job. Undefined when the signal ended it first.
 */
export async function followToEnd(options: FollowOptions): Promise<JobEnd | undefined> {
  const { clock, logs, platform, signal, target } = options;
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const connection = new AbortController();
    const stop = (): void => connection.abort();
    signal.addEventListener('abort', stop, { once: true });
    const end = await platform.follow(
      target,
      { log: logs.log.size, status: logs.status.size },
      {
        onBytes: (stream, offset, bytes) => {
          switch (logs[stream].append(offset, bytes)) {
            case 'written':
              pause = FIRST_PAUSE_MS;
              options.onProgress({ kind: 'bytes' });
              break;
            case 'gap':
              // bytes between are missing: ask again from where the copy ends
              connection.abort();
              break;
            case 'known':
              break;
          }
        },
        onTruncated: (stream, size) => options.onProgress({ kind: 'truncated', stream, size }),
        onStep: (step) => {
          pause = FIRST_PAUSE_MS;
          options.onProgress({ kind: 'step', step });
        },
      },
      connection.signal,
    );
    signal.removeEventListener('abort', stop);
    if (end.kind === 'finished') {
      return end.end;
    }
    if (signal.aborted) {
      return undefined;
    }
    const refused = end.kind === 'disconnected' && end.refused === true;
    if (refused) {
      pause = Math.max(pause, REFUSED_PAUSE_MS);
    }
    const inMs = Math.round(pause * (0.5 + options.random() / 2));
    const [reason, gone] =
      end.kind === 'disconnected' ? [end.reason, end.gone === true] : ['the log had a gap', false];
    options.onProgress({ kind: 'reconnecting', reason, inMs, gone });
    await sleep(clock, inMs, signal);
    pause = Math.min(pause * 2, refused ? LONGEST_REFUSED_PAUSE_MS : LONGEST_PAUSE_MS);
  }
  return undefined;
}
