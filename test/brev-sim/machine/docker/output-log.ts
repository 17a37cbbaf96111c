import { closeSync, fstatSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs';
import { errorCode } from '../json.ts';
import { fixedTime, nowNanoseconds } from './clock.ts';

/** Docker's copier reads into a buffer of this size: a longer line is stored in pieces (contract part 6). */
const ENTRY_BYTES = 16 * 1024;
const NEWLINE = 0x0a;

export type Stream = 'stdout' | 'stderr';

/** How a driver keeps bytes: json-file as text, in which what isn't UTF-8 is replaced; local as they are. */
export type LogEncoding = 'utf8' | 'latin1';

export function encodingOf(logDriver: string): LogEncoding {
  return logDriver === 'local' ? 'latin1' : 'utf8';
}

/** One stored entry, as docker's json-file driver has it. */
export interface LogEntry {
  log: string;
  stream: Stream;
  time: string;
}

interface Pending {
  bytes: Buffer;
  /** The time of the first piece of a long line; all of its pieces share it. */
  pieceTime: string | undefined;
}

/** Stores a container's output in entries that end at a newline or at 16 KiB, never earlier. */
export class OutputLog {
  private readonly path: string;
  private readonly maximumBytes: number;
  private readonly files: number;
  private readonly encoding: LogEncoding;
  private fd: number;
  private size: number;
  private readonly pending: Record<Stream, Pending> = {
    stdout: { bytes: Buffer.alloc(0), pieceTime: undefined },
    stderr: { bytes: Buffer.alloc(0), pieceTime: undefined },
  };

  constructor(path: string, maximumBytes: number, files: number, encoding: LogEncoding = 'utf8') {
    this.path = path;
    this.maximumBytes = maximumBytes;
    this.files = files;
    this.encoding = encoding;
    this.fd = openSync(path, 'a');
    this.size = fstatSync(this.fd).size;
  }

  /** Takes raw output; what has no newline yet stays in memory. */
  write(stream: Stream, bytes: Buffer): void {
    const pending = this.pending[stream];
    const data = pending.bytes.length === 0 ? bytes : Buffer.concat([pending.bytes, bytes]);
    const lines: string[] = [];
    let start = 0;
    for (;;) {
      const newline = data.indexOf(NEWLINE, start);
      const end = newline < 0 ? data.length : newline;
      while (end - start >= ENTRY_BYTES) {
        lines.push(this.piece(stream, data.subarray(start, start + ENTRY_BYTES)));
        start += ENTRY_BYTES;
      }
      if (newline < 0) break;
      const time = pending.pieceTime ?? fixedTime(nowNanoseconds());
      pending.pieceTime = undefined;
      lines.push(entryLine({ log: data.toString(this.encoding, start, newline + 1), stream, time }));
      start = newline + 1;
    }
    pending.bytes = Buffer.from(data.subarray(start));
    this.append(lines);
  }

  private piece(stream: Stream, bytes: Buffer): string {
    const pending = this.pending[stream];
    pending.pieceTime ??= fixedTime(nowNanoseconds());
    return entryLine({ log: bytes.toString(this.encoding), stream, time: pending.pieceTime });
  }

  /** Stores what never got its newline, without one, as docker does at the end. */
  finish(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const { bytes } = this.pending[stream];
      if (bytes.length > 0) this.append([this.piece(stream, bytes)]);
      this.pending[stream] = { bytes: Buffer.alloc(0), pieceTime: undefined };
    }
    closeSync(this.fd);
  }

  private append(lines: string[]): void {
    for (let at = 0; at < lines.length; ) {
      let text = '';
      // One write a call, cut where a rotation falls due.
      do {
        text += lines[at] ?? '';
        at += 1;
      } while (at < lines.length && this.size + text.length < this.maximumBytes);
      if (this.size > 0 && this.size + text.length > this.maximumBytes) this.rotate();
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) done += writeSync(this.fd, bytes, done);
      this.size += bytes.length;
    }
  }

  /** Keeps `max-file` files; the oldest lines are lost, as with docker. */
  private rotate(): void {
    if (this.files <= 1) {
      ftruncateSync(this.fd, 0);
      this.size = 0;
      return;
    }
    closeSync(this.fd);
    for (let index = this.files - 2; index >= 0; index--) {
      const from = index === 0 ? this.path : `${this.path}.${index}`;
      try {
        renameSync(from, `${this.path}.${index + 1}`);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
      }
    }
    this.fd = openSync(this.path, 'a');
    this.size = 0;
  }
}

function entryLine(entry: LogEntry): string {
  return `${JSON.stringify(entry)}\n`;
}
