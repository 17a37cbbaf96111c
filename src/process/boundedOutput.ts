/** The first bytes of a stream, decoded when it is whole, so that no character is cut in two. */
export class BoundedOutput {
  readonly #max: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  truncated = false;

  constructor(max: number) {
    this.#max = max;
  }

  add(chunk: Uint8Array): void {
    const room = this.#max - this.#size;
    if (chunk.length > room) {
      this.truncated = true;
    }
    if (room > 0) {
      const kept = chunk.subarray(0, room);
      this.#chunks.push(kept);
      this.#size += kept.length;
    }
  }

  text(): string {
    // what was cut may end in the middle of a character: that one is left out
    return new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: this.truncated });
  }
}
