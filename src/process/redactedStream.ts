import type { Redactor } from './redact.ts';

/** A line that is longer is given out in pieces. */
const MAX_HELD = 64 * 1024;
/** Secrets are shorter than that; a longer word without an end is none. */
const MAX_SECRET = 4 * 1024;
/** How the secrets that are recognised by their shape begin (redact.ts). */
const BEGINNING =
  /(?<![A-Za-z0-9])(?:nvapi-|hf_|bak-|eyJ|ghp_|github_pat_|AKIA|sk-|xox[a-z]-|(?:Bearer|Basic) |-{0,2}[A-Z_-]{0,60}(?:KEY|SECRET|TOKEN|PASSWORD)[ =])\S*$/i;
const MARKS = ['nvapi-', 'hf_', 'bak-', 'eyJ', 'ghp_', 'github_pat_', 'AKIA', 'sk-', 'xox'];

/**
 * Takes secrets out of text that comes in pieces: one may be cut anywhere. Whole lines are given out at once; `flush`
 * gives out an unfinished one, but holds back an end that may be the beginning of a secret.
 */
export class RedactedStream {
  readonly #redactor: Redactor;
  #held = '';

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  push(text: string): string {
    this.#held += text;
    const end = this.#held.lastIndexOf('\n') + 1;
    return end > 0 || this.#held.length > MAX_HELD ? this.#give(end > 0 ? end : this.#safeLength()) : '';
  }

  flush(): string {
    return this.#give(this.#safeLength());
  }

  /** What is left, when nothing more comes. */
  end(): string {
    return this.#give(this.#held.length);
  }

  #safeLength(): number {
    const from = Math.max(0, this.#held.length - MAX_SECRET);
    const tail = this.#held.slice(from);
    const shape = BEGINNING.exec(tail)?.index ?? tail.length;
    return from + Math.min(shape, markAtEnd(tail), this.#redactor.beginningAtEnd(tail));
  }

  #give(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text === '' ? '' : this.#redactor.redact(text);
  }
}

/** Where the mark of a shape may have begun with the last word; the text's length where it hasn't. */
function markAtEnd(text: string): number {
  const start = text.search(/[A-Za-z0-9_-]{1,11}$/);
  const word = start < 0 ? '' : text.slice(start);
  const begins = word !== '' && MARKS.some((mark) => mark.startsWith(word));
  return begins && !/[A-Za-z0-9]/.test(text.charAt(start - 1)) ? start : text.length;
}
