import { closeSync, existsSync, fstatSync, openSync, readSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, isRecord } from '../json.ts';
import type { LogEntry } from './output-log.ts';

const NEWLINE = 0x0a;

function isEntry(value: unknown): value is LogEntry {
  return (
    isRecord(value) &&
    typeof value.log === 'string' &&
    typeof value.time === 'string' &&
    (value.stream === 'stdout' || value.stream === 'stderr')
  );
}

/** Reads a stored log from its start, across rotations, and can go on as it grows. */
export class LogReader {
  private readonly path: string;
  private fd: number | undefined;
  private offset = 0;
  private rest: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.path = path;
  }

  /** Everything that is stored by now, oldest first. */
  *readStored(): Generator<LogEntry[]> {
    this.fd = openIfThere(this.path);
    let oldest = 0;
    while (existsSync(`${this.path}.${oldest + 1}`)) oldest += 1;
    for (let index = oldest; index >= 1; index--) {
      const older = openIfThere(`${this.path}.${index}`);
      if (older === undefined) continue;
      const reader = new LogReader(this.path);
      reader.fd = older;
      yield* reader.drain();
      closeSync(older);
    }
    yield* this.drain();
  }

  /** What was stored since the last read. */
  *readMore(): Generator<LogEntry[]> {
    yield* this.drain();
    const current = openIfThere(this.path);
    if (current === undefined) return;
    if (this.fd !== undefined && fstatSync(current).ino === fstatSync(this.fd).ino) {
      closeSync(current);
      return;
    }
    // Rotated: the old file is drained (again, for what came between), the new one is read from its start.
    yield* this.drain();
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = current;
    this.offset = 0;
    this.rest = Buffer.alloc(0);
    yield* this.drain();
  }

  private *drain(): Generator<LogEntry[]> {
    if (this.fd === undefined) return;
    if (fstatSync(this.fd).size < this.offset) {
      this.offset = 0;
      this.rest = Buffer.alloc(0);
    }
    for (;;) {
      const chunk = Buffer.allocUnsafe(256 * 1024);
      const count = readSync(this.fd, chunk, 0, chunk.length, this.offset);
      if (count === 0) return;
      this.offset += count;
      yield this.takeEntries(Buffer.concat([this.rest, chunk.subarray(0, count)]));
    }
  }

  private takeEntries(data: Buffer): LogEntry[] {
    const end = data.lastIndexOf(NEWLINE) + 1;
    this.rest = Buffer.from(data.subarray(end));
    const entries: LogEntry[] = [];
    for (const line of data.toString('utf8', 0, end).split('\n')) {
      if (line === '') continue;
      const entry: unknown = JSON.parse(line);
      if (isEntry(entry)) entries.push(entry);
    }
    return entries;
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Calls back whenever something in the log's folder changes, and now and then in any case. */
export function onLogChange(path: string, callback: () => void): () => void {
  const watcher = watch(dirname(path), callback);
  // The folder of a `--rm` container goes away under the watch.
  watcher.on('error', () => watcher.close());
  const timer = setInterval(callback, 250);
  return () => {
    watcher.close();
    clearInterval(timer);
  };
}
