import type { InstanceGauge } from '../../instances/gauges.ts';
import type { Clock } from '../../process/clock.ts';
import type { RemoteShell } from '../../remote/shell.ts';
import type { Outcome } from '../../values/outcome.ts';
import { type Disconnected, disconnectedBy } from '../disconnected.ts';
import type { FollowSink, JobEnd, Offsets } from '../platform.ts';
import framesScript from './frames.sh';
import { type Frame, FrameReader } from './frames.ts';
import { readGauge } from './gauge.ts';

/** A script that follows gives a sign of life every 2 s. */
const STALL_MS = 30_000;

/** One of the jobs that a connection follows. */
export interface FollowedJob {
  readonly jobId: string;
  /** Up to where its streams are known when the connection is made. */
  readonly offsets: Offsets;
  readonly sink: FollowSink;
  readonly onFinished: (end: JobEnd) => void;
}

/**
 * Runs a script that follows jobs and speaks in frames (frames.sh) until it ends, its connection breaks or stalls, or the
 * signal comes. Gives why, for the jobs that haven't ended by then.
 */
export async function followFrames(
  shell: RemoteShell,
  script: string,
  jobs: readonly FollowedJob[],
  signal: AbortSignal,
  clock: Clock,
  onGauge: (gauge: InstanceGauge) => void = () => undefined,
): Promise<Disconnected> {
  const connection = new AbortController();
  const stop = (): void => connection.abort();
  signal.addEventListener('abort', stop, { once: true });
  const reader = new FrameReader();
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
    const job = 'job' in frame ? jobs[frame.job] : undefined;
    switch (frame.kind) {
      case 'bytes':
        job?.sink.onBytes(frame.stream, frame.offset, frame.bytes);
        break;
      case 'beat':
        job?.sink.onStep(frame.step);
        break;
      case 'truncated':
        job?.sink.onTruncated(frame.stream, frame.size);
        break;
      case 'finish':
        job?.onFinished(toJobEnd(frame.result));
        break;
      case 'gauge':
        onGauge(readGauge(frame.text));
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
      {
        text: framesScript + script,
        args: jobs.flatMap(({ jobId, offsets }) => [jobId, String(offsets.log), String(offsets.status)]),
      },
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
  return outcome.kind === 'failed' ? disconnectedBy(outcome.failure) : { kind: 'disconnected', reason };
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
