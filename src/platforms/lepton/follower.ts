import { type Clock, sleep } from '../../process/clock.ts';
import type { Outcome } from '../../values/outcome.ts';
import { disconnectedBy } from '../disconnected.ts';
import type { FollowEnd, FollowSink, JobEnd } from '../platform.ts';
import type { LeptonClient, LeptonJob } from './client.ts';
import { endOf, lost } from './jobEnding.ts';
import { LogCursor } from './logCursor.ts';
import { MergedLog } from './mergedLog.ts';
import { type FollowTimings, ReplicaReader } from './replicaReader.ts';
import { isOver, meaningOf, type StateMeaning } from './state.ts';

export interface FollowerOptions {
  readonly client: LeptonClient;
  readonly clock: Clock;
  readonly jobId: string;
  readonly job: LeptonJob;
  /** How much of the log is here. */
  readonly offset: number;
  readonly cursorFile: string;
  readonly sink: FollowSink;
  readonly timings: FollowTimings;
  readonly signal: AbortSignal;
}

/** Follows one job on Lepton: its state by asking, its replicas by their streams, until it is over or the line is cut. */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #log: MergedLog;
  readonly #readers = new Map<string, ReplicaReader>();

  constructor(options: FollowerOptions) {
    const { cursorFile, job, offset, sink } = options;
    this.#options = options;
    this.#log = new MergedLog({
      cursor: new LogCursor(cursorFile),
      sink,
      offset,
      nodes: job.nodes,
      leptonJobId: job.id,
    });
  }

  async follow(): Promise<FollowEnd> {
    const { clock, signal, timings } = this.#options;
    try {
      for (;;) {
        const end = await this.#look();
        if (end !== undefined || signal.aborted) {
          return end ?? { kind: 'cancelled' };
        }
        await sleep(clock, timings.pollMs, signal);
      }
    } finally {
      await Promise.all([...this.#readers.values()].map((reader) => reader.stop()));
    }
  }

  async #look(): Promise<FollowEnd | undefined> {
    const { client, job, signal, sink } = this.#options;
    const now = await client.job(job.id, signal);
    if (now.kind !== 'ok') {
      return notSeen(now);
    }
    const meaning = meaningOf(now.value.state);
    switch (meaning.kind) {
      case 'pending':
        sink.onStep(meaning.step);
        break;
      case 'running':
        sink.onStep('run');
        break;
      case 'ending':
      case 'completed':
      case 'failed':
      case 'stopped':
      case 'archived':
      case 'unknown':
        // neither a step on the way nor a sign that would make a running job a waiting one
        break;
    }
    const replicas = await client.replicas(job.id, signal);
    if (replicas.kind === 'ok') {
      for (const replica of replicas.value) {
        this.#reader(replica).keepReading();
      }
    } else if (!isOver(meaning) || !isGone(replicas)) {
      // an end without the log would be the last word about it
      return notSeen(replicas);
    }
    return isOver(meaning) ? this.#finish(meaning) : undefined;
  }

  /** The whole log first, then the end: nobody looks for the rest once the end is told. */
  async #finish(meaning: StateMeaning): Promise<FollowEnd> {
    const { client, job, signal } = this.#options;
    const readers = [...this.#readers.values()];
    for (const reader of readers) {
      const failure = await reader.finish();
      if (failure !== undefined) {
        return disconnectedBy(failure);
      }
      if (meaning.kind === 'completed' && !signal.aborted) {
        await reader.awaitExitLine(signal);
      }
    }
    if (signal.aborted) {
      return { kind: 'cancelled' };
    }
    const exitCodes = readers.flatMap(({ exitCode }) => (exitCode === undefined ? [] : [exitCode]));
    const events = meaning.kind === 'failed' ? await client.events(job.id, signal) : undefined;
    const end = endOf(meaning, exitCodes, events?.kind === 'ok' ? events.value : []);
    return end === undefined ? { kind: 'disconnected', reason: 'the job runs again' } : finished(end);
  }

  #reader(replica: string): ReplicaReader {
    const { client, clock, job, jobId, timings } = this.#options;
    let reader = this.#readers.get(replica);
    if (reader === undefined) {
      reader = new ReplicaReader({
        client,
        clock,
        log: this.#log,
        jobId,
        leptonJobId: job.id,
        createdAt: job.createdAt,
        replica,
        timings,
      });
      this.#readers.set(replica, reader);
    }
    return reader;
  }
}

function notSeen(outcome: Exclude<Outcome<unknown>, { kind: 'ok' }>): FollowEnd {
  if (outcome.kind === 'cancelled') {
    return { kind: 'cancelled' };
  }
  return isGone(outcome)
    ? finished(lost('Lepton does not have this job any more'))
    : disconnectedBy(outcome.failure);
}

function isGone(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'failed' && outcome.failure.kind === 'jobLost';
}

export function finished(end: JobEnd): FollowEnd {
  return { kind: 'finished', end };
}
