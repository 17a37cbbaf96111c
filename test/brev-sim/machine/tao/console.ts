import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../json.ts';
import { LineEcho } from './echo.ts';
import { asctime } from './python-text.ts';

export type Level = 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR' | 'CRITICAL';

const COLOURS: Record<Level, string> = {
  DEBUG: '\x1b[38;20m',
  INFO: '\x1b[38;20m',
  WARNING: '\x1b[33;20m',
  ERROR: '\x1b[31;20m',
  CRITICAL: '\x1b[31;1m',
};

const PRINT_BUFFER = 8192;

/** The two Python processes of a TAO run as one: the training child, and the entrypoint that echoes it. */
export class TaoConsole {
  private readonly echo = new LineEcho((text) => this.raw(Buffer.from(text)));
  private readonly unbuffered: boolean;
  private printed = '';

  /** Without a launcher in between, the child writes for itself. */
  private readonly direct: boolean;

  constructor(env: NodeJS.ProcessEnv, direct = false) {
    this.direct = direct;
    this.unbuffered = (env.PYTHONUNBUFFERED ?? '') !== '';
  }

  /** Bytes straight to the container's stdout. */
  raw(bytes: Uint8Array, fd: 1 | 2 = 1): void {
    for (let done = 0; done < bytes.length; ) {
      try {
        done += writeSync(fd, bytes, done);
      } catch (error) {
        // The reader is slower than we are; a blocked Python would wait here as well.
        if (errorCode(error) !== 'EAGAIN') throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }

  /** The child's stderr: bars, logging, tracebacks; never held back. */
  child(text: string): void {
    if (this.direct) this.raw(Buffer.from(text), 2);
    else this.echo.take(text);
  }

  childLine(text: string): void {
    this.child(`${text}\n`);
  }

  /** The child's print(): its stdout is a pipe, so without PYTHONUNBUFFERED it waits for a full buffer or the end. */
  childPrint(text: string): void {
    this.printed += `${text}\n`;
    if (this.unbuffered || this.printed.length > PRINT_BUFFER) this.flushPrint();
  }

  private flushPrint(): void {
    const text = this.printed;
    this.printed = '';
    if (text === '') return;
    if (this.direct) this.raw(Buffer.from(text));
    else this.child(text);
  }

  /** The child ended by itself: its buffers come out. */
  childEnds(): void {
    this.flushPrint();
    this.echo.finish();
  }

  /** A line of TAO's logger in the child, in the shapes that one call gives (contract part 3). */
  childLog(level: Level, message: string, place: string): void {
    this.child(logLines(level, message, place));
  }

  /** A line of the entrypoint's own logger: straight to stderr, never glued by the echo. */
  log(level: Level, message: string, place: string): void {
    this.raw(Buffer.from(logLines(level, message, place)), 2);
  }

  /** A print() of the entrypoint itself. */
  print(text: string): void {
    this.raw(Buffer.from(`${text}\n`));
  }

  async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds);
  }
}

/** Two stream handlers write the same coloured line, hydra's root logger a third one without colour. */
function logLines(level: Level, message: string, place: string): string {
  const time = asctime(new Date());
  const coloured = `${COLOURS[level]}${time} - [TAO Toolkit] - ${level} - ${message} (${place})\x1b[0m\n`;
  return `${coloured}${coloured}[${time} - TAO Toolkit - TAO Toolkit - ${level}] ${message}\n`;
}
