/** More figures than any network shows; a log that invents new names at each line doesn't fill the memory. */
const MAX_NAMES = 128;
const MAX_LENGTH = 80;

/** Texts for the names of figures: each is made once, however often its bytes come. */
export class MetricNames {
  readonly #byHash = new Map<number, string>();

  /** The name in `bytes[start, end)`; undefined when it can't be one, or there are too many. */
  at(bytes: Uint8Array, start: number, end: number): string | undefined {
    let hash = end - start;
    for (let index = start; index < end; index++) {
      hash = (Math.imul(hash, 31) + (bytes[index] ?? 0)) | 0;
    }
    const known = this.#byHash.get(hash);
    if (known !== undefined) {
      return isSame(known, bytes, start, end) ? known : undefined;
    }
    if (end <= start || end - start > MAX_LENGTH || this.#byHash.size >= MAX_NAMES) {
      return undefined;
    }
    let name = '';
    for (let index = start; index < end; index++) {
      name += String.fromCharCode(bytes[index] ?? 0);
    }
    if (!/^[A-Za-z_][\w./:@()-]*$/.test(name)) {
      return undefined;
    }
    this.#byHash.set(hash, name);
    return name;
  }
}

function isSame(name: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) {
    return false;
  }
  for (let index = 0; index < name.length; index++) {
    if (name.charCodeAt(index) !== bytes[start + index]) {
      return false;
    }
  }
  return true;
}
