import type { ResultFile } from '../platforms/results.ts';

/** A piece of a file as it is uploaded: the whole of a small one, else one of several. */
export interface Piece {
  readonly file: ResultFile;
  readonly offset: number;
  readonly bytes: number;
  /** From 1; undefined where the piece is the whole file. */
  readonly number: number | undefined;
}

/** Large enough for few requests, small enough that one that breaks off costs little. */
export const PART_BYTES = 256 * 1024 * 1024;
/** S3's own limit is 10,000; the answer to a list of them, and the call that joins them, stay small with fewer. */
const MAX_PARTS = 1_000;
const MIB = 1024 * 1024;
/** What one run of the instance's script gets: its URLs must live until it comes to the last of them. */
const BATCH_BYTES = 512 * 1024 * 1024;
const BATCH_PIECES = 200;

/** The pieces of a file. A single put takes 5 GB at most, and would begin again from nothing. */
export function piecesOf(file: ResultFile, partBytes = PART_BYTES): readonly Piece[] {
  if (file.bytes <= partBytes) {
    return [{ file, offset: 0, bytes: file.bytes, number: undefined }];
  }
  const size = Math.max(partBytes, Math.ceil(file.bytes / MAX_PARTS / MIB) * MIB);
  return Array.from({ length: Math.ceil(file.bytes / size) }, (_, index) => ({
    file,
    offset: index * size,
    bytes: Math.min(size, file.bytes - index * size),
    number: index + 1,
  }));
}

/** Groups pieces, in their order, into what is sent in one go. */
export function batchesOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const batches: Piece[][] = [];
  let room = 0;
  for (const piece of pieces) {
    const batch = batches.at(-1);
    if (batch === undefined || piece.bytes > room || batch.length === BATCH_PIECES) {
      batches.push([piece]);
      room = BATCH_BYTES;
    } else {
      batch.push(piece);
    }
    room -= piece.bytes;
  }
  return batches;
}
