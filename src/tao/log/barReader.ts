import { byteNumber, clockSeconds, isDigit } from './byteNumber.ts';
import type { BarEvent, Metric } from './events.ts';
import { MetricNames } from './metricNames.ts';

/**
 * What stands at a place: no bar; a bar, or the beginning of one that was cut (tqdm cuts at the terminal's width);
 * or what may become a bar when more bytes come.
 */
export type BarReading = 'none' | 'bar' | 'more';

const SPACE = 0x20;
const PERCENT = 0x25;
const COMMA = 0x2c;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUALS = 0x3d;
const QUESTION = 0x3f;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const BACKTICK = 0x60;
const PIPE = 0x7c;
const ESCAPE = 0x1b;

/** No bar is longer; what is isn't waited for. */
export const MAX_BAR = 2048;
/** The cells, of up to three bytes each. */
const MAX_CELLS = 1024;

interface Label {
  readonly bytes: Uint8Array;
  readonly phase: BarEvent['phase'];
}

const label = (text: string, phase: BarEvent['phase']): Label => ({
  bytes: new TextEncoder().encode(text),
  phase,
});
/** By their first letters, which differ. */
const LABELS = new Map(
  [
    label('Epoch ', 'train'),
    label('Sanity Checking', 'sanity'),
    label('Validation', 'validate'),
    label('Testing', 'test'),
    label('Predicting', 'predict'),
  ].map((each) => [each.bytes[0], each]),
);
const DATA_LOADER = new TextEncoder().encode(' DataLoader ');
const ITERATIONS = new TextEncoder().encode('it');

/** Whether a bar may begin with this byte. */
export const MAY_BEGIN_BAR = new Uint8Array(256);
for (const first of LABELS.keys()) {
  MAY_BEGIN_BAR[first ?? 0] = 1;
}

/** Reads the bars of tqdm as Lightning words them, straight from the bytes (tao.md part 3, "epoch bar"). */
export class BarReader {
  readonly #names = new MetricNames();
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;
  #event: BarEvent | undefined;

  /** After `bar`: what it shows. */
  get event(): BarEvent | undefined {
    return this.#event;
  }

  /** After `bar`: where what follows it begins. */
  get next(): number {
    return this.#at;
  }

  /** Looks at `bytes` from `start`; `isComplete` when nothing can follow `end`. A line end ends a bar, too. */
  read(bytes: Uint8Array, start: number, end: number, isComplete: boolean): BarReading {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = Math.min(end, start + MAX_BAR);
    const found = this.#bar();
    if (found === undefined) {
      // all that was there fits: the rest may come
      return this.#at >= this.#end && this.#end === end && !isComplete ? 'more' : 'none';
    }
    if (found === 'more' && this.#end < end) {
      return 'none';
    }
    return found === 'more' && isComplete ? 'bar' : found;
  }

  #bar(): BarReading | undefined {
    const kind = LABELS.get(this.#bytes[this.#at]);
    if (kind === undefined || !this.#word(kind.bytes)) {
      return undefined;
    }
    let epoch: number | undefined;
    if (kind.phase === 'train') {
      epoch = this.#integer();
      if (epoch === undefined) {
        return undefined;
      }
    } else if (this.#peek() === SPACE && (!this.#word(DATA_LOADER) || this.#integer() === undefined)) {
      return undefined;
    }
    if (!this.#byte(COLON)) {
      return undefined;
    }
    const progress = this.#progress();
    if (progress === undefined || !this.#byte(OPEN)) {
      return undefined;
    }
    const metrics: Metric[] = [];
    const times = { elapsed: undefined, remaining: undefined };
    const ended = this.#bracket(times, metrics);
    const { done, total } = progress;
    this.#event = {
      kind: 'bar',
      phase: kind.phase,
      epoch,
      done,
      total,
      elapsedSeconds: times.elapsed,
      remainingSeconds: times.remaining,
      metrics,
    };
    return ended;
  }

  /** `62%|####  | 31/50 `, or `12it ` where the length isn't known. */
  #progress(): { readonly done: number; readonly total: number | undefined } | undefined {
    this.#spaces();
    if (isDigit(this.#peek())) {
      const number = this.#integer();
      if (this.#peek() !== PERCENT) {
        if (number === undefined || !this.#word(ITERATIONS)) {
          return undefined;
        }
        this.#spaces();
        return { done: number, total: undefined };
      }
      this.#at++;
    }
    if (!this.#byte(PIPE) || !this.#cells()) {
      return undefined;
    }
    this.#spaces();
    const done = this.#integer();
    if (done === undefined || !this.#byte(SLASH)) {
      return undefined;
    }
    const total = this.#peek() === QUESTION ? undefined : this.#integer();
    if (this.#peek() === QUESTION) {
      this.#at++;
    }
    // a number is only known to be whole when something follows it
    if (this.#peek() !== SPACE) {
      return undefined;
    }
    this.#spaces();
    return { done, total };
  }

  /** From behind `[` on: times and figures up to `]`, or up to where it was cut. */
  #bracket(
    times: { elapsed: number | undefined; remaining: number | undefined },
    metrics: Metric[],
  ): BarReading | undefined {
    let begin = this.#at;
    let equals = -1;
    let less = -1;
    let isFirst = true;
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte === COMMA || byte === CLOSE) {
        if (isFirst) {
          times.elapsed = clockSeconds(this.#bytes, begin, less < 0 ? this.#at : less);
          times.remaining = less < 0 ? undefined : clockSeconds(this.#bytes, less + 1, this.#at);
          isFirst = false;
        } else if (equals > 0) {
          this.#metric(begin, equals, metrics);
        }
        if (byte === CLOSE) {
          this.#at++;
          return 'bar';
        }
        begin = this.#at + 1;
        if (this.#bytes[begin] === SPACE && begin < this.#end) {
          this.#at++;
          begin++;
        }
        equals = -1;
      } else if (byte === EQUALS) {
        equals = equals < 0 ? this.#at : equals;
      } else if (byte === LESS) {
        less = this.#at;
      } else if (byte === ESCAPE) {
        return undefined;
      } else if (byte === 0x0a || byte === 0x0d || byte === OPEN || byte === BACKTICK) {
        // what was begun last may be half of it
        this.#at = begin;
        return 'bar';
      }
    }
    this.#at = begin;
    return 'more';
  }

  #metric(begin: number, equals: number, metrics: Metric[]): void {
    const value = byteNumber(this.#bytes, equals + 1, this.#at);
    const name = value === undefined ? undefined : this.#names.at(this.#bytes, begin, equals);
    // v_num is the number of Lightning's log folder
    if (name !== undefined && value !== undefined && name !== 'v_num') {
      metrics.push({ name, value });
    }
  }

  #cells(): boolean {
    const limit = Math.min(this.#end, this.#at + MAX_CELLS);
    for (; this.#at < limit; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte === PIPE) {
        this.#at++;
        return true;
      }
      if (byte < SPACE) {
        return false;
      }
    }
    return false;
  }

  #peek(): number | undefined {
    return this.#at < this.#end ? this.#bytes[this.#at] : undefined;
  }

  #byte(expected: number): boolean {
    if (this.#peek() !== expected) {
      return false;
    }
    this.#at++;
    return true;
  }

  #word(word: Uint8Array): boolean {
    for (let index = 0; index < word.length; index++, this.#at++) {
      if (this.#at >= this.#end || this.#bytes[this.#at] !== word[index]) {
        return false;
      }
    }
    return true;
  }

  #spaces(): void {
    while (this.#peek() === SPACE) {
      this.#at++;
    }
  }

  #integer(): number | undefined {
    const start = this.#at;
    let value = 0;
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte < 0x30 || byte > 0x39) {
        break;
      }
      value = value * 10 + byte - 0x30;
      this.#at++;
    }
    // a longer one is no count of anything
    return this.#at === start || this.#at - start > 12 ? undefined : value;
  }
}
