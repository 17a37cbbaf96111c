import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

/** What became of a piece of the remote log. */
export type Appended = 'written' | 'known' | 'gap';

/**
 * The local copy of a job's log: its size is the offset up to which the remote log is safe here, so there is no
 * second number that could disagree. Writes are synchronous: a piece is in the file before the next one is looked at.
 */
export class LocalLog {
  readonly #descriptor: number;
  #size: number;

  constructor(file: string) {
    this.#descriptor = openSync(file, 'a', 0o600);
    this.#size = fstatSync(this.#descriptor).size;
  }

  /** Bytes that are here. */
  get size(): number {
    return this.#size;
  }

  /** Adds what is new in a piece that begins at `offset` of the remote log. */
  append(offset: number, bytes: Uint8Array): Appended {
    if (offset > this.#size) {
      return 'gap';
    }
    const fresh = bytes.subarray(this.#size - offset);
    if (fresh.length === 0) {
      return 'known';
    }
    let written = 0;
    while (written < fresh.length) {
      const count = writeSync(this.#descriptor, fresh, written);
      written += count;
      this.#size += count;
    }
    return 'written';
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
