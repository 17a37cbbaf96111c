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

/** What a command line may hold of them: the rest of the 128 kB is for the script and for quoting. */
const LINE_LENGTH = 90_000;
/** A path may have many quotes in it, each of which becomes four characters. */
const lengthOf = (path: string): number => path.length + 3 * (path.split("'").length - 1) + 16;

/** All parts of all files, packed into as few command lines as hold them. */
export function packParts(files: readonly RemoteFile[]): readonly (readonly Part[])[] {
  const parts = files.flatMap(({ path, content }) =>
    Array.from(
      { length: partCount(content) },
      (_, index): Part => ({
        path,
        part: String(index),
        content: content.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
      }),
    ),
  );
  return packed(parts, ({ path, content }) => lengthOf(path) + 4 * Math.ceil(content.length / 3));
}

/** All files, packed into as few command lines as hold their names and sums. */
export function packFiles(files: readonly RemoteFile[]): readonly (readonly RemoteFile[])[] {
  return packed(files, ({ path }) => lengthOf(path) + 80);
}

function packed<T>(items: readonly T[], length: (item: T) => number): readonly (readonly T[])[] {
  const lines: T[][] = [];
  let room = 0;
  for (const item of items) {
    const needed = length(item);
    const current = lines.at(-1);
    if (current === undefined || needed > room) {
      lines.push([item]);
      room = LINE_LENGTH - needed;
    } else {
      current.push(item);
      room -= needed;
    }
  }
  return lines;
}
