import type { JobStream } from '../platform.ts';

/** One thing that a script which follows said; a job is its number among the script's arguments. */
export type Frame =
  | {
      readonly kind: 'bytes';
      readonly job: number;
      readonly stream: JobStream;
      readonly offset: number;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: 'beat'; readonly job: number; readonly step: string }
  | { readonly kind: 'finish'; readonly job: number; readonly result: ReadonlyMap<string, string> }
  /** A file became shorter than what was sent of it: it was truncated or rotated. */
  | {
      readonly kind: 'truncated';
      readonly job: number;
      readonly stream: JobStream;
      readonly size: number;
    }
  /** How busy the instance is, in follow.sh's words; no matter of one job. */
  | { readonly kind: 'gauge'; readonly text: string }
  /** A frame was cut: what comes after it can't be trusted. */
  | { readonly kind: 'corrupt' };

function toStream(name: string | undefined): JobStream {
  return name === 'status' ? 'status' : 'log';
}

const HEADER = /^@brev (frame|beat|finish|truncated|gauge) (\S+) (\d{1,4})(?: (.*))?$/;
const MAX_LINE = 4_096;

/**
 * Takes the stream of such a script (frames.sh) apart, however it is cut into chunks. Text that isn't a frame is the route's noise (the
 * CLI's name line, an agent's pid) and is skipped. A frame counts only when its end mark carries its own token: after
 * a lost connection the CLI may run the script again, and its first frame would land inside the cut one.
 */
export class FrameReader {
  #buffered = Buffer.alloc(0);
  /** What came after that, not yet joined to it: a large frame is put together once, not with every chunk. */
  #chunks: Uint8Array[] = [];
  #waiting = 0;
  /** How many bytes the frame at hand needs in all. */
  #needed = 0;
  #broken = false;

  push(chunk: Uint8Array): Frame[] {
    if (this.#broken) {
      return [];
    }
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (this.#buffered.length + this.#waiting < this.#needed) {
      return [];
    }
    this.#buffered = Buffer.concat([this.#buffered, ...this.#chunks]);
    this.#chunks = [];
    this.#waiting = 0;
    this.#needed = 0;
    const frames: Frame[] = [];
    for (;;) {
      const next = this.#next();
      if (next === undefined) {
        return frames;
      }
      if (next !== 'noise') {
        frames.push(next);
        if (next.kind === 'corrupt') {
          this.#broken = true;
          return frames;
        }
      }
    }
  }

  #next(): Frame | 'noise' | undefined {
    const newline = this.#buffered.indexOf(0x0a);
    if (newline < 0) {
      if (this.#buffered.length > MAX_LINE) {
        this.#buffered = Buffer.alloc(0);
      }
      return undefined;
    }
    const line = this.#buffered.toString('latin1', 0, Math.min(newline, MAX_LINE));
    const header = HEADER.exec(line);
    if (header === null) {
      this.#drop(newline + 1);
      return 'noise';
    }
    const [, kind, token = '', number, rest = ''] = header;
    const job = Number(number);
    switch (kind) {
      case 'beat':
        this.#drop(newline + 1);
        return { kind: 'beat', job, step: rest };
      case 'truncated':
        this.#drop(newline + 1);
        return truncated(job, rest);
      case 'gauge':
        this.#drop(newline + 1);
        return { kind: 'gauge', text: rest };
      case 'finish':
        return this.#finish(newline + 1, token, job);
      default:
        return this.#bytes(newline + 1, token, job, rest);
    }
  }

  #bytes(start: number, token: string, job: number, rest: string): Frame | undefined {
    const fields = /^(log|status) (\d+) (\d+)$/.exec(rest);
    if (fields === null) {
      return { kind: 'corrupt' };
    }
    const end = start + Number(fields[3]);
    const mark = Buffer.from(`\n@brev end ${token}\n`);
    if (this.#buffered.length < end + mark.length) {
      this.#needed = end + mark.length;
      return undefined;
    }
    if (!this.#buffered.subarray(end, end + mark.length).equals(mark)) {
      return { kind: 'corrupt' };
    }
    // no copy: nothing is written into a buffer once it is put together
    const bytes = this.#buffered.subarray(start, end);
    this.#drop(end + mark.length);
    return { kind: 'bytes', job, stream: toStream(fields[1]), offset: Number(fields[2]), bytes };
  }

  #finish(start: number, token: string, job: number): Frame | undefined {
    const mark = `\n@brev end ${token}\n`;
    const end = this.#buffered.indexOf(mark, start);
    if (end < 0) {
      return undefined;
    }
    const result = new Map<string, string>();
    for (const line of this.#buffered.toString('utf8', start, end).split('\n')) {
      const separator = line.indexOf('=');
      if (separator > 0) {
        result.set(line.slice(0, separator), line.slice(separator + 1));
      }
    }
    this.#drop(end + mark.length);
    return { kind: 'finish', job, result };
  }

  #drop(bytes: number): void {
    this.#buffered = this.#buffered.subarray(bytes);
  }
}

function truncated(job: number, rest: string): Frame {
  const fields = /^(log|status) (\d+)$/.exec(rest);
  return fields === null
    ? { kind: 'corrupt' }
    : { kind: 'truncated', job, stream: toStream(fields[1]), size: Number(fields[2]) };
}
