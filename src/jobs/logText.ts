import { plainText } from '../values/plainText.ts';

const ESCAPE = '\u001b';
const BELL = '\u0007';
/** A line that is longer is shown in pieces, so that a log without line ends can't fill the memory. */
const MAX_LINE = 64 * 1024;
/** A title or link in a terminal; what is longer is none. */
const MAX_SEQUENCE = 1_000;
/** A picture of a progress bar or spinner, which the next one replaces. */
const PICTURE = /\d%\||\d(?:it\/s|s\/it)|[━█]|^\s*[\u2800-\u28ff]|\d%\s*$/;

/**
 * Turns the raw bytes of a training log into lines for a text channel: ANSI codes go, even when cut by a chunk, and a
 * progress bar that redraws itself after carriage returns is collapsed to its last picture. Nothing else is dropped:
 * TAO puts a return before log lines too, instead of a line end after them (tao.md part 3). `flush` shows what has no
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
      const rest = PICTURE.test(this.#line) ? '' : clean(this.#line.slice(this.#shown));
      // what was shown of the old picture stays as a line
      out = rest !== '' || this.#shown > 0 ? `${rest}\n` : '';
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
  if (start < 0) {
    return line.length;
  }
  const title = line.lastIndexOf(`${ESCAPE}]`);
  const rest = title < 0 ? '' : line.slice(title);
  if (rest !== '' && rest.length < MAX_SEQUENCE && !rest.includes(BELL) && !rest.includes(`${ESCAPE}\\`)) {
    return title;
  }
  return /^(?:\[[0-?]*[ -/]*|[ -/]*)$/.test(line.slice(start + 1)) ? start : line.length;
}

function clean(text: string): string {
  return plainText(text).replaceAll('\r', '');
}
