import type { RemoteFile } from './shell.ts';

/** A command line may have about 128 kB (brev-cli.md part 6); base64 makes 4 bytes of 3. */
const PART_BYTES = 60_000;

/** A piece of a file that fits on a command line. */
export interface Part {
  readonly path: string;
  readonly part: string;
  readonly content: Uint8Array;
}

export function partCount(content: Uint8Array): number {
  return Math.max(1, Math.ceil(content.length / PART_BYTES));
}

/** All parts of all files, packed into as few command lines as hold them. */
export function packParts(files: readonly RemoteFile[]): readonly (readonly Part[])[] {
  const packed: Part[][] = [];
  let room = 0;
  for (const { path, content } of files) {
    for (let index = 0; index < partCount(content); index++) {
      const piece = content.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
      const current = packed.at(-1);
      const part: Part = { path, part: String(index), content: piece };
      if (current === undefined || piece.length > room) {
        packed.push([part]);
        room = PART_BYTES - piece.length;
      } else {
        current.push(part);
        room -= piece.length;
      }
    }
  }
  return packed;
}
