import { plainText } from '../../values/plainText.ts';
import { BarReader } from './barReader.ts';
import type { BarEvent, LogEvent, Phase } from './events.ts';
import { exceptionIn } from './exceptions.ts';
import { BAR_WORDS, BIT, logScan } from './logWords.ts';
import { piecesOf } from './pieces.ts';
import { PullProgress } from './pullProgress.ts';
import { withoutRank } from './rankPrefix.ts';
import { Records } from './records.ts';
import { refined } from './refine.ts';
import { tableEvent, taoEvents } from './taoLines.ts';
import { merged, type Trouble, type TroubleKind } from './trouble.ts';
import { troublesIn } from './troubleSigns.ts';

/** A rank that is given by no line. */
const NO_RANK = -1;
/** More than any run has; what claims to be one more isn't followed. */
const MAX_OPEN_TRACEBACKS = 64;
/** Shorter than any word; validation bars leave such control sequences behind. */
const MIN_LENGTH = 8;
/** Figures and lines that are told once each. */
const MAX_TOLD = 300;
/** A traceback that goes on for longer was cut off. */
const MAX_TRACEBACK_LINES = 2000;

/**
 * Reads the raw log of a TAO job, as it comes: pull, bars, tracebacks, what went wrong, the last word. How the bytes are
 * cut into pieces makes no difference, and no log makes it hold more than one line. Repeated lines are told once.
 */
export class LogParser {
  readonly #tell: (event: LogEvent) => void;
  readonly #records: Records;
  readonly #bars = new BarReader();
  readonly #pull = new PullProgress();
  #phase: Phase | undefined;
  /** Until then docker is at work. */
  #isProgramSeen = false;
  #lastBar: BarEvent | undefined;
  /** What was told last of each kind, to tell it once. */
  readonly #told = new Map<string, string>();
  readonly #troubles = new Map<TroubleKind, Trouble>();
  #lastTrouble: Trouble | undefined;
  /** Ranks whose tracebacks have begun, the latest last. */
  readonly #open: number[] = [];
  #linesSince = 0;

  constructor(tell: (event: LogEvent) => void) {
    this.#tell = tell;
    this.#records = new Records(logScan, {
      bar: (event) => this.#bar(event),
      record: (bytes, start, end, bits) => this.#record(bytes, start, end, bits),
    });
  }

  push(bytes: Uint8Array): void {
    this.#records.push(bytes);
  }

  /** The log is complete: a last line without its end counts. */
  end(): void {
    this.#records.end();
  }

  #record(bytes: Uint8Array, start: number, end: number, bits: number): void {
    if (this.#open.length > 0 && ++this.#linesSince > MAX_TRACEBACK_LINES) {
      this.#open.length = 0;
    }
    if (bits === 0 || (bits === BIT.escape && end - start < MIN_LENGTH)) {
      return;
    }
    const text = plainText(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString());
    const plain = new TextEncoder().encode(text);
    const plainBits = logScan.bitsOf(plain, 0, plain.length);
    if ((plainBits & BIT.bar) !== 0) {
      this.#barsWithin(plain);
    }
    if ((plainBits & ~BIT.bar) !== 0) {
      for (const piece of piecesOf(text)) {
        this.#piece(piece, plainBits);
      }
    }
  }

  /** Bars that don't begin a line, or stood between control sequences. */
  #barsWithin(bytes: Uint8Array): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    let from = 0;
    while (from < bytes.length) {
      const places = BAR_WORDS.map((word) => buffer.indexOf(word, from)).filter((at) => at >= 0);
      if (places.length === 0) {
        return;
      }
      const at = Math.min(...places);
      if (this.#bars.read(bytes, at, bytes.length, true) === 'bar' && this.#bars.event !== undefined) {
        this.#bar(this.#bars.event);
        from = this.#bars.next;
      } else {
        from = at + 1;
      }
    }
  }

  #bar(event: BarEvent): void {
    this.#isProgramSeen = true;
    if (this.#lastBar !== undefined && isSameBar(this.#lastBar, event)) {
      return;
    }
    this.#lastBar = event;
    this.#enter(event.phase);
    this.#tell(event);
  }

  #piece(line: string, bits: number): void {
    const { rank, text } = withoutRank(line);
    if ((bits & BIT.pull) !== 0 && !this.#isProgramSeen) {
      const event = this.#pull.read(text);
      if (event?.kind === 'pull') {
        this.#enter('pull');
        this.#once('pull', event);
      } else if (event?.kind === 'phase') {
        this.#enter(event.phase);
      }
    }
    if ((bits & BIT.tao) !== 0) {
      for (const event of taoEvents(text)) {
        this.#tao(event);
      }
    }
    const row = (bits & BIT.table) === 0 ? undefined : tableEvent(text);
    if (row?.kind === 'kpi') {
      this.#once(`kpi ${row.metric.name}`, row);
    }
    if ((bits & BIT.refining) !== 0 && this.#lastTrouble !== undefined) {
      const more = refined(this.#lastTrouble, text);
      if (more !== undefined) {
        this.#trouble(more);
      }
    }
    if ((bits & BIT.trouble) !== 0) {
      const place = { rank: rank ?? this.#openRank, isBeforeRun: !this.#isProgramSeen };
      for (const trouble of troublesIn(text, place)) {
        this.#trouble(trouble);
      }
    }
    if ((bits & BIT.exception) !== 0) {
      this.#exception(text, rank);
    }
  }

  #tao(event: LogEvent): void {
    this.#isProgramSeen = true;
    switch (event.kind) {
      case 'phase':
        this.#enter(event.phase);
        return;
      case 'resultsDir':
        this.#enter(event.task === 'export' ? 'export' : 'load');
        break;
      case 'executionStatus':
        this.#once(event.kind, event);
        this.#enter('done');
        return;
      default:
        break;
    }
    this.#once(event.kind, event);
  }

  #exception(text: string, rank: number | undefined): void {
    if (text.startsWith('Traceback (most recent call last)')) {
      this.#isProgramSeen = true;
      if (this.#open.length < MAX_OPEN_TRACEBACKS) {
        this.#open.push(rank ?? NO_RANK);
      }
      this.#linesSince = 0;
      return;
    }
    if (this.#open.length === 0) {
      return;
    }
    const found = exceptionIn(text);
    if (found === undefined) {
      return;
    }
    // a line that lost its mark belongs to the traceback that began last
    const own = this.#open.lastIndexOf(rank ?? NO_RANK);
    const [opened = NO_RANK] = this.#open.splice(own < 0 ? this.#open.length - 1 : own, 1);
    const of = rank ?? (opened === NO_RANK ? undefined : opened);
    this.#once('exception', { kind: 'exception', ...found, rank: of });
  }

  #trouble(told: Trouble): void {
    const before = this.#troubles.get(told.kind);
    const trouble = merged(before, told);
    this.#lastTrouble = trouble;
    this.#troubles.set(trouble.kind, trouble);
    if (before === undefined || JSON.stringify(before) !== JSON.stringify(trouble)) {
      this.#tell({ kind: 'trouble', trouble });
    }
  }

  get #openRank(): number | undefined {
    const last = this.#open.at(-1);
    return last === NO_RANK ? undefined : last;
  }

  #enter(phase: Phase): void {
    const isLate = phase === 'load' && this.#phase !== undefined && this.#phase !== 'pull';
    if (this.#phase !== phase && !isLate) {
      this.#phase = phase;
      this.#tell({ kind: 'phase', phase });
    }
  }

  /** TAO's lines come two or three times (tao.md part 3). */
  #once(key: string, event: LogEvent): void {
    const words = JSON.stringify(event);
    if (this.#told.get(key) !== words && (this.#told.has(key) || this.#told.size < MAX_TOLD)) {
      this.#told.set(key, words);
      this.#tell(event);
    }
  }
}

function isSameBar(a: BarEvent, b: BarEvent): boolean {
  if (a.done !== b.done || a.epoch !== b.epoch || a.total !== b.total || a.phase !== b.phase) {
    return false;
  }
  if (a.metrics.length !== b.metrics.length) {
    return false;
  }
  for (let index = 0; index < a.metrics.length; index++) {
    const left = a.metrics[index];
    const right = b.metrics[index];
    if (left?.name !== right?.name || !Object.is(left?.value, right?.value)) {
      return false;
    }
  }
  return true;
}
