import type { Clock } from '../../process/clock.ts';
import type { RemoteScript, RemoteShell } from '../../remote/shell.ts';
import { inEnglish } from '../../values/message.ts';
import type { Outcome } from '../../values/outcome.ts';
import type { FollowEnd, FollowSink, JobEnd } from '../platform.ts';
import { type Frame, FrameReader } from './frames.ts';

/** A script that follows gives a sign of life every 2 s. */
const STALL_MS = 30_000;

/** Runs a script that speaks in frames until it says that the job has ended, or the connection ends or stalls. */
export async function followFrames(
  shell: RemoteShell,
  script: RemoteScript,
  sink: FollowSink,
  signal: AbortSignal,
  clock: Clock,
): Promise<FollowEnd> {
  const connection = new AbortController();
  const stop = (): void => connection.abort();
  signal.addEventListener('abort', stop, { once: true });
  const reader = new FrameReader();
  let end: JobEnd | undefined;
  let reason = 'the connection ended';
  let cancelStall = (): void => undefined;
  const alive = (): void => {
    cancelStall();
    cancelStall = clock.after(STALL_MS, () => {
      reason = 'the connection stalled';
      connection.abort();
    });
  };
  const take = (frame: Frame): void => {
    switch (frame.kind) {
      case 'bytes':
        sink.onBytes(frame.stream, frame.offset, frame.bytes);
        break;
      case 'beat':
        sink.onStep(frame.step);
        break;
      case 'truncated':
        sink.onTruncated(frame.stream, frame.size);
        break;
      case 'finish':
        end = toJobEnd(frame.result);
        break;
      case 'corrupt':
        reason = 'a frame was cut';
        connection.abort();
        break;
    }
  };
  alive();
  let outcome: Outcome<void>;
  try {
    outcome = await shell.stream(
      script,
      (chunk) => {
        // any byte is a sign of life: over a slow link one frame may take longer than a stall
        alive();
        for (const frame of reader.push(chunk)) {
          take(frame);
        }
      },
      connection.signal,
    );
  } finally {
    cancelStall();
    signal.removeEventListener('abort', stop);
  }
  if (end !== undefined) {
    return { kind: 'finished', end };
  }
  if (signal.aborted) {
    return { kind: 'cancelled' };
  }
  return {
    kind: 'disconnected',
    reason: outcome.kind === 'failed' ? inEnglish(outcome.failure.message) : reason,
  };
}

function toJobEnd(result: ReadonlyMap<string, string>): JobEnd {
  const exit = result.get('exit') ?? '';
  const step = result.get('step');
  const steps = ['launch', 'docker', 'login', 'pull', 'create', 'run', 'cancel', 'interrupted'] as const;
  return {
    exitCode: /^\d+$/.test(exit) ? Number(exit) : undefined,
    step: steps.find((each) => each === step) ?? 'lost',
    outOfMemory: result.get('oom') === 'true',
    error: result.get('error') ?? '',
  };
}
