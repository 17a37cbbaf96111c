/** A generator of numbers from 0 to below 1 that gives the same row for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The same bytes in pieces of odd sizes. */
export function inPieces(bytes: Uint8Array, random: () => number, longest: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(random() * longest);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
