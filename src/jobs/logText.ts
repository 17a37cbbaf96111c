import { stripVTControlCharacters } from 'node:util';

const ESCAPE = '\u001b';
/** A line that is longer is shown in pieces, so that a log without line ends can't fill the memory. */
const MAX_LINE = 64 * 1024;

/**
 * Turns the raw bytes of a training log into lines for a text channel: ANSI codes go, even when cut by a chunk, and a
 * progress bar that redraws itself after carriage returns is collapsed to its last picture. `flush` shows what has no
 * line end yet; call it about once a second, so that the last unfinished line is seen although nothing follows it.
 */
export class LogText {
  readonly #decoder = new TextDecoder();
  /** The line being received, without its end. */
  #line = '';
  /** How much of it has been shown. */
  #shown = 0;
  #carriageReturn = false;

  /** The text to append for these bytes. */
  push(bytes: Uint8Array): string {
    let out = '';
    const text = this.#decoder.decode(bytes, { stream: true });
    let start = 0;
    for (let index = 0; index < text.length; index++) {
      const character = text.charCodeAt(index);
      if (character !== 0x0a && character !== 0x0d) {
        continue;
      }
      out += this.#take(text.slice(start, index));
      start = index + 1;
      if (character === 0x0a) {
        out += this.#endLine();
      } else {
        this.#carriageReturn = true;
      }
    }
    return out + this.#take(text.slice(start));
  }

  /** The text to append for a line that isn't finished. */
  flush(): string {
    const end = completeLength(this.#line);
    if (end <= this.#shown) {
      return '';
    }
    const text = clean(this.#line.slice(this.#shown, end));
    this.#shown = end;
    return text;
  }

  #take(piece: string): string {
    if (piece === '') {
      return '';
    }
    let out = '';
    if (this.#carriageReturn) {
      // the bar is drawn again: what was shown of the old one stays as a line, the rest is dropped
      out = this.#shown > 0 ? '\n' : '';
      this.#line = '';
      this.#shown = 0;
      this.#carriageReturn = false;
    }
    this.#line += piece;
    return this.#line.length > MAX_LINE ? out + this.#endLine() : out;
  }

  #endLine(): string {
    const text = clean(this.#line.slice(this.#shown));
    this.#line = '';
    this.#shown = 0;
    this.#carriageReturn = false;
    return `${text}\n`;
  }
}

/** Up to where a line may be shown: a control sequence at its end may still be incomplete. */
function completeLength(line: string): number {
  const start = line.lastIndexOf(ESCAPE);
  return start >= 0 && /^(?:\[[0-9;?]*)?$/.test(line.slice(start + 1)) ? start : line.length;
}

function clean(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\0', '');
}
