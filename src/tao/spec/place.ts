import type { LineCounter } from 'yaml';

/** Where something stands in a text; lines and columns count from 1, as people do. */
export interface Place {
  readonly line: number;
  readonly column: number;
  /** In UTF-16 units, as editors count; what goes on in the next line isn't counted. */
  readonly length: number;
}

/** For what concerns the whole file. */
export const FILE_BEGIN: Place = { line: 1, column: 1, length: 1 };

/** Turns offsets into places. */
export class Places {
  readonly #text: string;
  readonly #lines: LineCounter;

  constructor(text: string, lines: LineCounter) {
    this.#text = text;
    this.#lines = lines;
  }

  /** From one offset to another, to the end of the first line at most. */
  at(start: number, end: number): Place {
    const { line, col } = this.#lines.linePos(Math.min(start, this.#text.length));
    const nextLine = this.#lines.lineStarts[line];
    const last = Math.min(end, nextLine === undefined ? this.#text.length : nextLine - 1);
    const cut = this.#text.charAt(last - 1) === '\r' ? last - 1 : last;
    return { line, column: Math.max(1, col), length: Math.max(1, cut - start) };
  }
}
