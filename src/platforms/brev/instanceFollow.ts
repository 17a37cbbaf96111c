import type { InstanceGauge } from '../../instances/gauges.ts';
import type { Clock } from '../../process/clock.ts';
import type { RemoteShell } from '../../remote/shell.ts';
import type { Outcome } from '../../values/outcome.ts';
import { disconnectedBy } from '../disconnected.ts';
import type { FollowEnd, FollowSink, JobStream, JobTarget, Offsets } from '../platform.ts';
import followScript from './follow.sh';
import { followFrames } from './followFrames.ts';

/** Who comes while a connection stands waits that long for others, which often come together. */
const JOIN_MS = 300;

export interface InstanceFollowOptions {
  readonly clock: Clock;
  readonly shell: (target: JobTarget) => Promise<Outcome<RemoteShell>>;
  /** Settles when calls are of use again, such as after a sign-in, or with the signal; at once where they are. */
  readonly untilUsable?: (signal: AbortSignal) => Promise<void>;
  /** Gets each look at an instance, about every 15 s while a job on it is followed. */
  readonly onGauge?: (instanceId: string, gauge: InstanceGauge) => void;
}

/** A job that is followed, with what is known of it by now. */
interface Member {
  readonly target: JobTarget;
  readonly offsets: Record<JobStream, number>;
  readonly sink: FollowSink;
  readonly settle: (end: FollowEnd) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Follows all jobs of one instance over one connection: an sshd allows ten sessions by default, and each exec costs a
 * process here and several there. The connection is made anew when a job joins; none is lost by that, as each goes on
 * where it was.
 */
export class InstanceFollow {
  readonly #options: InstanceFollowOptions;
  readonly #members = new Set<Member>();
  #running = false;
  /** The connection that stands, and whom it is for. */
  #connection: { readonly abort: AbortController; readonly for: ReadonlySet<Member> } | undefined;
  #cancelJoin: (() => void) | undefined;
  #rest: AbortController | undefined;

  constructor(options: InstanceFollowOptions) {
    this.#options = options;
  }

  follow(target: JobTarget, offsets: Offsets, sink: FollowSink, signal: AbortSignal): Promise<FollowEnd> {
    if (signal.aborted) {
      return Promise.resolve({ kind: 'cancelled' });
    }
    return new Promise((resolve, reject) => {
      const stop = (): void => member.settle({ kind: 'cancelled' });
      const leave = (): void => {
        signal.removeEventListener('abort', stop);
        this.#members.delete(member);
        if (this.#members.size === 0) {
          this.#connection?.abort.abort();
          this.#rest?.abort();
        }
      };
      const member: Member = {
        target,
        offsets: { ...offsets },
        sink,
        settle: (end) => {
          leave();
          resolve(end);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#members.add(member);
      this.#join();
    });
  }

  #join(): void {
    if (!this.#running) {
      this.#running = true;
      void this.#run();
      return;
    }
    this.#cancelJoin ??= this.#options.clock.after(JOIN_MS, () => {
      this.#cancelJoin = undefined;
      const connection = this.#connection;
      if (connection !== undefined && ![...this.#members].every((member) => connection.for.has(member))) {
        connection.abort.abort();
      }
    });
  }

  async #run(): Promise<void> {
    for (let [first] = this.#members; first !== undefined; [first] = this.#members) {
      try {
        await this.#connect(first);
      } catch (error) {
        for (const member of this.#members) {
          member.fail(error);
        }
      }
    }
    this.#running = false;
    this.#cancelJoin?.();
    this.#cancelJoin = undefined;
  }

  async #connect(first: Member): Promise<void> {
    this.#rest = new AbortController();
    await this.#options.untilUsable?.(this.#rest.signal);
    if (this.#members.size === 0) {
      return;
    }
    const shell = await this.#options.shell(first.target);
    if (shell.kind !== 'ok') {
      for (const member of this.#members) {
        member.settle(shell.kind === 'cancelled' ? shell : disconnectedBy(shell.failure));
      }
      return;
    }
    const members = [...this.#members];
    const abort = new AbortController();
    if (members.length === 0) {
      return;
    }
    this.#connection = { abort, for: new Set(members) };
    const disconnected = await followFrames(
      shell.value,
      followScript,
      members.map((member) => ({
        jobId: member.target.jobId,
        offsets: { ...member.offsets },
        sink: this.#guarded(member),
        onFinished: (end) => this.#with(member, () => member.settle({ kind: 'finished', end })),
      })),
      abort.signal,
      this.#options.clock,
      (gauge) => this.#options.onGauge?.(first.target.instanceId, gauge),
    ).finally(() => {
      this.#connection = undefined;
    });
    if (!abort.signal.aborted) {
      for (const member of members) {
        this.#with(member, () => member.settle(disconnected));
      }
    }
  }

  /** What goes wrong with the copy of one job here, such as a full disk, is no matter of the others. */
  #guarded(member: Member): FollowSink {
    return {
      onBytes: (stream, offset, bytes) =>
        this.#with(member, () => {
          member.sink.onBytes(stream, offset, bytes);
          member.offsets[stream] = offset + bytes.length;
        }),
      onTruncated: (stream, size) => this.#with(member, () => member.sink.onTruncated(stream, size)),
      onStep: (step) => this.#with(member, () => member.sink.onStep(step)),
    };
  }

  /** Frames may still come for a job that has left. */
  #with(member: Member, act: () => void): void {
    if (!this.#members.has(member)) {
      return;
    }
    try {
      act();
    } catch (error) {
      member.fail(error);
    }
  }
}
