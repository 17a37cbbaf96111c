import { BarReader, MAX_BAR, MAY_BEGIN_BAR } from './barReader.ts';
import type { BarEvent } from './events.ts';
import { type KeywordScan, LINE_END } from './keywordScan.ts';

/** Gets what the bytes are made of, in their order. */
export interface RecordSink {
  bar(event: BarEvent): void;
  /** A line, or a piece of one, without its end; `bits` says which keywords are in `bytes[start, end)`. */
  record(bytes: Uint8Array, start: number, end: number, bits: number): void;
}

/** A longer line comes in pieces, cut at the same places however its bytes arrive. */
export const MAX_RECORD = 16 * 1024;

/**
 * Cuts a stream of bytes into lines, at CR as well as at LF, and takes the bars out of their beginnings. A bar is told
 * as soon as it is whole: TAO's entrypoint ends it only when the next one comes (tao.md part 3).
 */
export class Records {
  readonly #scan: KeywordScan;
  readonly #sink: RecordSink;
  readonly #bars = new BarReader();
  /** A line whose end hasn't come. */
  readonly #held = new Uint8Array(MAX_RECORD);
  #heldLength = 0;
  /** The held line may yet turn out to begin with a bar. */
  #isUndecided = false;

  constructor(scan: KeywordScan, sink: RecordSink) {
    this.#scan = scan;
    this.#sink = sink;
  }

  push(chunk: Uint8Array): void {
    this.#goOn(chunk, this.#resume(chunk));
  }

  /** Nothing more will come: the last line counts without its end. */
  end(): void {
    this.#finishHeld();
  }

  /** Completes the held line; gives the place from where on the chunk stands for itself. */
  #resume(chunk: Uint8Array): number {
    let at = 0;
    while (this.#heldLength > 0 && at < chunk.length) {
      const room = Math.min(MAX_RECORD - this.#heldLength, this.#isUndecided ? MAX_BAR : MAX_RECORD);
      const limit = Math.min(chunk.length, at + room);
      let end = at;
      while (end < limit && this.#scan.columns[chunk[end] ?? 0] !== LINE_END) {
        end++;
      }
      this.#held.set(chunk.subarray(at, end), this.#heldLength);
      this.#heldLength += end - at;
      at = end;
      if (end < limit) {
        this.#finishHeld();
        at++;
      } else if (this.#heldLength === MAX_RECORD) {
        this.#finishHeld();
      } else {
        this.#decide();
      }
    }
    return at;
  }

  #decide(): void {
    while (this.#isUndecided) {
      const reading = this.#bars.read(this.#held, 0, this.#heldLength, false);
      if (reading === 'more') {
        return;
      }
      this.#isUndecided = false;
      if (reading === 'bar') {
        this.#tellBar();
        this.#held.copyWithin(0, this.#bars.next, this.#heldLength);
        this.#heldLength -= this.#bars.next;
        this.#isUndecided = this.#heldLength > 0 && MAY_BEGIN_BAR[this.#held[0] ?? 0] === 1;
      }
    }
  }

  #finishHeld(): void {
    let start = 0;
    const end = this.#heldLength;
    this.#heldLength = 0;
    while (start < end && MAY_BEGIN_BAR[this.#held[start] ?? 0] === 1) {
      if (this.#bars.read(this.#held, start, end, true) !== 'bar') {
        break;
      }
      this.#tellBar();
      start = this.#bars.next;
    }
    if (start < end) {
      this.#sink.record(this.#held, start, end, this.#scan.bitsOf(this.#held, start, end));
    }
  }

  /** Reads the lines that lie in the chunk with both ends, and holds the last one. */
  #goOn(chunk: Uint8Array, from: number): void {
    const { columns, next, bits } = this.#scan;
    let start = from;
    while (start < chunk.length) {
      if (MAY_BEGIN_BAR[chunk[start] ?? 0] === 1) {
        const reading = this.#bars.read(chunk, start, chunk.length, false);
        if (reading === 'bar') {
          this.#tellBar();
          start = this.#bars.next;
          continue;
        }
        if (reading === 'more') {
          this.#hold(chunk, start, true);
          return;
        }
      }
      const limit = Math.min(chunk.length, start + MAX_RECORD);
      let at = start;
      let state = 0;
      let found = 0;
      for (; at < limit; at++) {
        const column = columns[chunk[at] ?? 0] ?? 0;
        if (column === LINE_END) {
          break;
        }
        state = next[state + column] ?? 0;
        found |= bits[state] ?? 0;
      }
      if (at < limit || at - start === MAX_RECORD) {
        if (at > start) {
          this.#sink.record(chunk, start, at, found);
        }
        start = at < limit ? at + 1 : at;
      } else {
        this.#hold(chunk, start, false);
        return;
      }
    }
  }

  #hold(chunk: Uint8Array, start: number, isUndecided: boolean): void {
    this.#held.set(chunk.subarray(start), 0);
    this.#heldLength = chunk.length - start;
    this.#isUndecided = isUndecided;
  }

  #tellBar(): void {
    if (this.#bars.event !== undefined) {
      this.#sink.bar(this.#bars.event);
    }
  }
}
