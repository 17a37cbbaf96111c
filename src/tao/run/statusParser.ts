import * as z from 'zod/mini';
import { plainText } from '../../values/plainText.ts';
import { textNumber } from '../log/byteNumber.ts';
import type { Metric } from '../log/events.ts';
import { parsePythonJson } from './pythonJson.ts';
import { timedeltaSeconds } from './timedelta.ts';

export type TaoStatus = 'SUCCESS' | 'FAILURE' | 'STARTED' | 'RUNNING' | 'SKIPPED';

/** What status.json says, in its order. */
export type StatusEvent =
  /** A run begins; the file keeps those before it. */
  | { readonly kind: 'run'; readonly task: string }
  | {
      readonly kind: 'line';
      readonly status: TaoStatus;
      readonly message: string;
      /** From 0; only in the line at the end of an epoch. */
      readonly epoch: number | undefined;
      readonly epochs: number | undefined;
      readonly etaSeconds: number | undefined;
      readonly secondsPerEpoch: number | undefined;
      /** Those measured for this line; what the file only repeats isn't here. */
      readonly kpis: readonly Metric[];
    };

const line = z.object({
  status: z.enum(['SUCCESS', 'FAILURE', 'STARTED', 'RUNNING', 'SKIPPED']),
  message: z.optional(z.catch(z.string(), '')),
  epoch: z.optional(z.catch(z.union([z.number(), z.undefined()]), undefined)),
  max_epoch: z.optional(z.catch(z.union([z.number(), z.undefined()]), undefined)),
  eta: z.optional(z.catch(z.string(), '')),
  time_per_epoch: z.optional(z.catch(z.string(), '')),
  kpi: z.optional(z.catch(z.record(z.string(), z.unknown()), {})),
});

/** A longer line is no status. */
const MAX_LINE = 64 * 1024;
const MAX_MESSAGE = 2000;
const MAX_KPIS = 128;

/**
 * Reads status.json as it grows: JSON lines that may hold NaN, of several runs, one after the other. A line that can't
 * be read is passed over. However the bytes are cut, the events are the same.
 */
export class StatusParser {
  readonly #tell: (event: StatusEvent) => void;
  #held: Uint8Array[] = [];
  #heldLength = 0;
  #isTooLong = false;
  #kpis = new Map<string, number>();
  #unreadable = 0;

  constructor(tell: (event: StatusEvent) => void) {
    this.#tell = tell;
  }

  /** Lines that were no status. */
  get unreadable(): number {
    return this.#unreadable;
  }

  push(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
      this.#hold(bytes.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#hold(bytes.subarray(start));
  }

  /** The file is complete: a last line without its end counts. */
  end(): void {
    this.#finish();
  }

  #hold(bytes: Uint8Array): void {
    this.#heldLength += bytes.length;
    if (this.#heldLength > MAX_LINE) {
      this.#isTooLong = true;
      this.#held = [];
    } else if (bytes.length > 0) {
      // the caller may use its buffer again
      this.#held.push(Uint8Array.from(bytes));
    }
  }

  #finish(): void {
    const text = this.#isTooLong ? '…' : Buffer.concat(this.#held).toString('utf8').trim();
    this.#held = [];
    this.#heldLength = 0;
    this.#isTooLong = false;
    if (text === '') {
      return;
    }
    const parsed = z.safeParse(line, parsePythonJson(text));
    if (parsed.success) {
      this.#line(parsed.data);
    } else {
      this.#unreadable++;
    }
  }

  #line(data: z.infer<typeof line>): void {
    const message = plainText(data.message ?? '').slice(0, MAX_MESSAGE);
    const task = /^Starting .{1,200} ([a-z_]{1,40})\.$/.exec(message)?.[1];
    if (data.status === 'STARTED' && task !== undefined) {
      this.#kpis = new Map();
      this.#tell({ kind: 'run', task });
    }
    const maxEpoch = count(data.max_epoch);
    const eta = timedeltaSeconds(data.eta ?? '');
    this.#tell({
      kind: 'line',
      status: data.status,
      message,
      epoch: count(data.epoch),
      epochs: maxEpoch === undefined ? undefined : maxEpoch + 1,
      etaSeconds: eta === undefined ? undefined : Math.max(0, eta),
      secondsPerEpoch: timedeltaSeconds(data.time_per_epoch ?? ''),
      kpis: this.#fresh(data.kpi ?? {}, message),
    });
  }

  /** The kpis stay in all later lines until they are replaced: new are those that change, or of which the line tells. */
  #fresh(kpi: Readonly<Record<string, unknown>>, message: string): readonly Metric[] {
    const told = /^(Eval|Validation|Train|Test)\w{0,10} metrics/i.exec(message)?.[1]?.toLowerCase();
    const fresh: Metric[] = [];
    for (const [name, raw] of Object.entries(kpi).slice(0, MAX_KPIS)) {
      // DINO writes its mAP as a text (tao.md part 3)
      const value =
        typeof raw === 'number' ? raw : typeof raw === 'string' ? textNumber(raw.trim()) : undefined;
      if (value === undefined || name.length > 100) {
        continue;
      }
      const isOfTraining = name.startsWith('train');
      const isTold = told !== undefined && (told === 'train') === isOfTraining;
      if (isTold || !this.#kpis.has(name) || !Object.is(this.#kpis.get(name), value)) {
        fresh.push({ name, value });
        if (this.#kpis.has(name) || this.#kpis.size < MAX_KPIS) {
          this.#kpis.set(name, value);
        }
      }
    }
    return fresh;
  }
}

function count(value: number | undefined): number | undefined {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
