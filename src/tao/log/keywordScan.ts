/** A text to look for, and the bits that its presence sets. */
export interface Keyword {
  readonly text: string;
  readonly bits: number;
}

const MAX_STATES = 1 << 16;
/** The column of CR and LF, which no keyword holds. */
export const LINE_END = 255;

/**
 * Finds any of many keywords in bytes, in one pass that costs the same whatever the bytes are (Aho-Corasick): lines that
 * hold none are never decoded, and nothing can make it slow.
 */
export class KeywordScan {
  /** For each byte its column; bytes that stand in no keyword share column 0. */
  readonly columns: Uint8Array;
  /** Next state by state + column; states are premultiplied by the width. 0 is the start. */
  readonly next: Int32Array;
  /** The bits of a state. */
  readonly bits: Int32Array;

  constructor(keywords: readonly Keyword[]) {
    const encoded = keywords.map(({ text, bits }) => ({ bytes: new TextEncoder().encode(text), bits }));
    this.columns = new Uint8Array(256);
    this.columns[0x0a] = LINE_END;
    this.columns[0x0d] = LINE_END;
    let width = 1;
    for (const { bytes } of encoded) {
      for (const byte of bytes) {
        if (this.columns[byte] === 0) {
          this.columns[byte] = width++;
        }
      }
    }
    const states = encoded.reduce((sum, { bytes }) => sum + bytes.length, 1);
    if (states > MAX_STATES || width > LINE_END) {
      throw new Error('too many keywords, or too many different bytes in them');
    }
    this.next = new Int32Array(states * width);
    this.bits = new Int32Array(states * width);
    this.#link(this.#grow(encoded, width), width);
  }

  /** The bits of all keywords in `bytes[start, end)`, which is within one line. */
  bitsOf(bytes: Uint8Array, start: number, end: number): number {
    let state = 0;
    let found = 0;
    for (let index = start; index < end; index++) {
      state = this.next[state + (this.columns[bytes[index] ?? 0] ?? 0)] ?? 0;
      found |= this.bits[state] ?? 0;
    }
    return found;
  }

  /** Puts the keywords in as a tree; returns the number of states. */
  #grow(keywords: readonly { readonly bytes: Uint8Array; readonly bits: number }[], width: number): number {
    let count = 1;
    for (const { bytes, bits } of keywords) {
      let state = 0;
      for (const byte of bytes) {
        const edge = state + (this.columns[byte] ?? 0);
        if (this.next[edge] === 0) {
          this.next[edge] = count++ * width;
        }
        state = this.next[edge] ?? 0;
      }
      this.bits[state] = (this.bits[state] ?? 0) | bits;
    }
    return count;
  }

  /** Breadth first: a missing edge leads where the longest proper end of what was read leads. */
  #link(count: number, width: number): void {
    const fallback = new Int32Array(count * width);
    const queue: number[] = [];
    for (let column = 0; column < width; column++) {
      const child = this.next[column] ?? 0;
      if (child !== 0) {
        queue.push(child);
      }
    }
    for (const state of queue) {
      const back = fallback[state] ?? 0;
      this.bits[state] = (this.bits[state] ?? 0) | (this.bits[back] ?? 0);
      for (let column = 0; column < width; column++) {
        const child = this.next[state + column] ?? 0;
        const otherwise = this.next[back + column] ?? 0;
        if (child === 0) {
          this.next[state + column] = otherwise;
        } else {
          fallback[child] = otherwise;
          queue.push(child);
        }
      }
    }
  }
}
