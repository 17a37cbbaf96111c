/** Lines that TAO's entrypoint takes for progress bars, among them many that are none. */
const BAR_LIKE = /Epoch \d+: \s*\d+%|\[.*\]/;

/**
 * How the entrypoint passes its child's output on (contract part 3): it reads lines with
 * `\r` counted as a line end too, and writes every bar-like line as `\r` and the stripped
 * text without a newline, so that the next plain line is glued to it.
 */
export class LineEcho {
  private readonly write: (text: string) => void;
  private line = '';
  private afterCarriageReturn = false;

  constructor(write: (text: string) => void) {
    this.write = write;
  }

  /** Takes what the child wrote; a line goes out when its end arrives. */
  take(text: string): void {
    let output = '';
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const letter = text.charAt(at);
      const second = this.afterCarriageReturn && letter === '\n';
      this.afterCarriageReturn = letter === '\r';
      if (second) {
        start = at + 1;
      } else if (letter === '\r' || letter === '\n') {
        output += echoed(this.line + text.slice(start, at), '\n');
        this.line = '';
        start = at + 1;
      }
    }
    this.line += text.slice(start);
    if (output !== '') this.write(output);
  }

  /** The child is gone: what had no line end goes out as it is. */
  finish(): void {
    if (this.line !== '') this.write(echoed(this.line, ''));
    this.line = '';
  }
}

function echoed(line: string, end: string): string {
  return BAR_LIKE.test(line) ? `\r${line.trim()}` : line + end;
}
