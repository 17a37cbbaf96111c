import { type Clock, sleep } from '../../process/clock.ts';
import type { Failure } from '../../values/failure.ts';
import { type LeptonClient, LOG_LIMIT } from './client.ts';
import { exitCodeIn } from './command.ts';
import type { MergedLog } from './mergedLog.ts';
import type { Reading, ReplicaProgress } from './replicaPosition.ts';

export interface ReplicaReaderOptions {
  readonly client: LeptonClient;
  readonly clock: Clock;
  readonly log: MergedLog;
  readonly jobId: string;
  readonly leptonJobId: string;
  readonly createdAt: number;
  readonly replica: string;
  readonly timings: FollowTimings;
}

export interface FollowTimings {
  /** How often the job's state is asked for. */
  readonly pollMs: number;
  /** A stream that is silent that long may be dead: it is opened again. */
  readonly idleMs: number;
  /** How long a stream may go on when the job is over. */
  readonly endMs: number;
}

/** How a reading ended. */
type ReadingEnd =
  | { readonly kind: 'ended' }
  /** The connection broke off, or what was read is another text than the known one. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'otherText' }
  | { readonly kind: 'unavailable'; readonly failure: Failure };

const LONGEST_PAUSE_MS = 60_000;
const MINUTE_NS = 60_000_000_000n;
/** Enough for the exit line, wherever a chunk was cut. */
const TAIL = 1_024;

/** Reads one replica's output: live by its stream, and from the store of logs where the stream can't give it whole. */
export class ReplicaReader {
  readonly #options: ReplicaReaderOptions;
  readonly #progress: ReplicaProgress;
  readonly #abort = new AbortController();
  #source: 'stream' | 'store' = 'stream';
  #task: Promise<void> | undefined;
  #pause: number;
  #nextAt = 0;
  #crash: { readonly error: unknown } | undefined;
  #waiting: Uint8Array = new Uint8Array();
  #exitCode: number | undefined;

  constructor(options: ReplicaReaderOptions) {
    this.#options = options;
    this.#progress = options.log.progress(options.replica);
    this.#pause = options.timings.pollMs;
  }

  /** What its program ended with, once its log tells. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Sees to it that the output is being read. */
  keepReading(): void {
    this.#throwCrash();
    const { clock } = this.#options;
    if (this.#task !== undefined || this.#exitCode !== undefined || clock.now() < this.#nextAt) {
      return;
    }
    const before = this.#progress.position.bytes;
    this.#task = this.#readOnce().then(
      (end) => this.#pauseAfter(end, before),
      (error: unknown) => {
        this.#task = undefined;
        this.#crash = { error };
      },
    );
  }
  /** Brings the rest when the job is over; a failure when it can't be had now, but perhaps later. */
  async finish(): Promise<Failure | undefined> {
    const { clock, timings } = this.#options;
    if (this.#task !== undefined) {
      const stop = clock.after(timings.endMs, () => this.#abort.abort());
      await this.#task;
      stop();
    }
    this.#throwCrash();
    if (this.#exitCode !== undefined) {
      return undefined;
    }
    // no end was seen: one whole reading after the job's end has everything
    const last = new AbortController();
    const stop = clock.after(timings.endMs, () => last.abort());
    const end = this.#source === 'stream' ? await this.#readStream(last.signal) : undefined;
    stop();
    if (end?.kind === 'ended') {
      this.#flush();
      return undefined;
    }
    const stored = await this.#readStore(last.signal.aborted ? new AbortController().signal : last.signal);
    const gone = stored.kind === 'unavailable' && stored.failure.kind === 'jobLost';
    if (stored.kind === 'ended' || gone) {
      this.#flush();
      return undefined;
    }
    return stored.kind === 'unavailable' ? stored.failure : undefined;
  }

  /** Waits, at most for a while, until the store has the end of the log. */
  async awaitExitLine(signal: AbortSignal): Promise<void> {
    const { clock, timings } = this.#options;
    for (let tries = 0; tries < 3 && this.#exitCode === undefined && !signal.aborted; tries++) {
      await sleep(clock, timings.pollMs, signal);
      await this.#readStore(signal);
    }
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#task;
  }

  #pauseAfter(end: ReadingEnd, before: number): void {
    const { clock, timings } = this.#options;
    this.#task = undefined;
    if (end.kind === 'otherText') {
      this.#source = 'store';
    }
    // a stream that ends at once is no reason to load the whole log every few seconds
    const grew = this.#progress.position.bytes > before;
    this.#pause = grew ? timings.pollMs : Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
    this.#nextAt = clock.now() + this.#pause;
  }

  /** What broke in here, such as a full disk, is the follower's to tell. */
  #throwCrash(): void {
    if (this.#crash !== undefined) {
      throw this.#crash.error;
    }
  }

  #readOnce(): Promise<ReadingEnd> {
    return this.#source === 'stream'
      ? this.#readStream(this.#abort.signal)
      : this.#readStore(this.#abort.signal);
  }

  async #readStream(signal: AbortSignal): Promise<ReadingEnd> {
    const { client, clock, leptonJobId, replica, timings } = this.#options;
    const connection = new AbortController();
    const both = AbortSignal.any([signal, connection.signal]);
    const opened = await client.logStream(leptonJobId, replica, both);
    if (opened.kind !== 'ok') {
      return opened.kind === 'failed' ? { kind: 'unavailable', failure: opened.failure } : { kind: 'broken' };
    }
    this.#waiting = new Uint8Array();
    const reading = this.#progress.read();
    const tail = new Tail();
    let stopIdle = clock.after(timings.idleMs, () => connection.abort());
    const chunks = opened.value[Symbol.asyncIterator]();
    try {
      for (;;) {
        const chunk = await nextOf(chunks);
        if (chunk === 'broken' || chunk === 'ended') {
          return { kind: chunk };
        }
        stopIdle();
        stopIdle = clock.after(timings.idleMs, () => connection.abort());
        if (!this.#take(reading, tail, chunk)) {
          return { kind: 'otherText' };
        }
      }
    } finally {
      stopIdle();
      connection.abort();
    }
  }

  async #readStore(signal: AbortSignal): Promise<ReadingEnd> {
    this.#waiting = new Uint8Array();
    const first = await this.#readStoredText(signal);
    if (first.kind !== 'otherText') {
      return first;
    }
    // neither the stream nor the store has the text that is here: then it all comes again rather than not at all
    this.#options.log.restart(this.#progress);
    return this.#readStoredText(signal);
  }

  async #readStoredText(signal: AbortSignal): Promise<ReadingEnd> {
    const { client, clock, createdAt, leptonJobId, replica } = this.#options;
    const reading = this.#progress.read();
    const tail = new Tail();
    const end = BigInt(Math.round(clock.now())) * 1_000_000n + MINUTE_NS;
    let start = createdAt > 0 ? BigInt(Math.round(createdAt)) * 1_000_000n - MINUTE_NS : 1n;
    let takenAtStart = 0;
    for (;;) {
      const page = await client.logLines(leptonJobId, replica, { start, end }, signal);
      if (page.kind !== 'ok') {
        return page.kind === 'failed' ? { kind: 'unavailable', failure: page.failure } : { kind: 'broken' };
      }
      const fresh = page.value.slice(takenAtStart);
      for (const { line } of fresh) {
        if (!this.#take(reading, tail, Buffer.from(`${line}\n`))) {
          return { kind: 'otherText' };
        }
      }
      const last = page.value.at(-1)?.nanoseconds;
      if (page.value.length < LOG_LIMIT || last === undefined || fresh.length === 0) {
        return { kind: 'ended' };
      }
      // the next page begins with the lines of the same moment, which are taken already
      takenAtStart = page.value.filter(({ nanoseconds }) => nanoseconds === last).length;
      start = last;
    }
  }

  /** False when it isn't the text that is known. */
  #take(reading: Reading, tail: Tail, chunk: Uint8Array): boolean {
    const { jobId, log, replica } = this.#options;
    const fresh = reading.push(chunk);
    if (fresh.kind === 'otherText') {
      return false;
    }
    if (fresh.bytes.length > 0) {
      const bytes = Buffer.concat([this.#waiting, fresh.bytes]);
      this.#waiting = bytes.subarray(log.add(replica, this.#progress, bytes, false));
    }
    this.#exitCode = exitCodeIn(jobId, tail.push(chunk)) ?? this.#exitCode;
    return true;
  }

  /** What waits for the end of its line gets none any more. */
  #flush(): void {
    this.#options.log.add(this.#options.replica, this.#progress, this.#waiting, true);
    this.#waiting = new Uint8Array();
  }
}

/** A connection that drops shows as an error here; the next reading gets what is missing. */
async function nextOf(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | 'ended' | 'broken'> {
  try {
    const next = await chunks.next();
    return next.done === true ? 'ended' : next.value;
  } catch {
    return 'broken';
  }
}

/** The last bytes of a text that comes in chunks. */
class Tail {
  #bytes: Uint8Array = new Uint8Array();

  push(chunk: Uint8Array): string {
    const all = Buffer.concat([this.#bytes, chunk]);
    this.#bytes = all.subarray(Math.max(0, all.length - TAIL));
    return Buffer.from(this.#bytes).toString('latin1');
  }
}
