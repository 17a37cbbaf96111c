import type { FollowSink } from '../platform.ts';
import type { LogCursor, ReplicaPosition } from './logCursor.ts';
import { ReplicaProgress } from './replicaPosition.ts';

export interface MergedLogOptions {
  readonly cursor: LogCursor;
  readonly sink: FollowSink;
  /** How much of the job's log is here already. */
  readonly offset: number;
  /** With several nodes each line says whose it is, and only whole lines are taken. */
  readonly nodes: number;
  readonly leptonJobId: string;
}

const NEWLINE = 0x0a;

/** The job's one log, which only grows, made of the outputs of its replicas. */
export class MergedLog {
  readonly #options: MergedLogOptions;
  readonly #positions: Map<string, ReplicaPosition>;
  readonly #lost: boolean;
  #offset: number;

  constructor(options: MergedLogOptions) {
    this.#options = options;
    this.#offset = options.offset;
    const reading = options.cursor.read(options.offset);
    this.#positions = new Map(reading.kind === 'ok' ? reading.replicas : []);
    this.#lost = reading.kind === 'none' && options.offset > 0;
    if (reading.kind === 'ok' && reading.rest.length > 0) {
      this.#emit(reading.rest);
    }
  }

  /** The progress of a replica, as far as an earlier session came. */
  progress(replica: string): ReplicaProgress {
    const known = this.#positions.get(replica);
    if (known === undefined && this.#lost && this.#positions.size === 0) {
      if (this.#options.nodes === 1) {
        // the copy of another computer: the output of one replica, so its length is the position
        return new ReplicaProgress({ bytes: this.#options.offset, sha256: '' });
      }
      this.#options.sink.onTruncated('log', 0);
    }
    return new ReplicaProgress(known);
  }

  /** Adds what is new of a replica, and returns how many bytes were taken: the rest of a line waits for its end. */
  add(replica: string, progress: ReplicaProgress, bytes: Uint8Array, isEnd: boolean): number {
    const taken = this.#isLabelled && !isEnd ? bytes.lastIndexOf(NEWLINE) + 1 : bytes.length;
    if (taken === 0) {
      return 0;
    }
    const raw = bytes.subarray(0, taken);
    const piece = this.#isLabelled ? labelled(this.#label(replica), raw) : raw;
    this.#positions.set(replica, progress.advance(raw));
    // before the log itself, so that a crash between the two is seen by the log's length
    this.#options.cursor.write(this.#offset, piece, this.#positions);
    this.#emit(piece);
    return taken;
  }

  /** A replica's output can't be matched any more: it comes again as a whole. */
  restart(progress: ReplicaProgress): void {
    progress.restart();
    this.#options.sink.onTruncated('log', 0);
  }

  get #isLabelled(): boolean {
    return this.#options.nodes > 1;
  }

  /** Replicas are called after their job: what comes after its name tells them apart. */
  #label(replica: string): string {
    const prefix = `${this.#options.leptonJobId}-`;
    return replica.startsWith(prefix) ? replica.slice(prefix.length) : replica;
  }

  #emit(bytes: Uint8Array): void {
    const at = this.#offset;
    this.#offset += bytes.length;
    this.#options.sink.onBytes('log', at, bytes);
  }
}

function labelled(label: string, bytes: Uint8Array): Uint8Array {
  const head = Buffer.from(`[${label}] `);
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    parts.push(head, bytes.subarray(start, end));
    start = end;
  }
  if (bytes.at(-1) !== NEWLINE) {
    parts.push(Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}
