import { fstatSync, readSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { StdinKind } from '../cloud/calls.ts';
import type { Fault, FaultKind, FaultOf } from '../cloud/faults.ts';
import { codeOf, pause } from '../cloud/lock.ts';
import { type Cloud, type Dialect, isAtLeast, readCloud } from '../cloud/state.ts';
import { CliError } from './errors.ts';
import type { Flags } from './flags.ts';

const SPINNER = '⣾⣽⣻⢿⡿⣟⣯⣷';

/** One run of the CLI: its streams, its clock and what is to go wrong in it. */
export class Run {
  readonly root: string;
  readonly args: string[];
  readonly home: string;
  readonly dialect: Dialect;
  readonly version: string;
  readonly speed: number;
  readonly piped: boolean;
  readonly stdin: StdinKind;
  faults: Fault[] = [];
  command = '';
  private held: string | undefined;

  constructor(root: string, args: string[], home: string) {
    const cloud = readCloud(root);
    this.root = root;
    this.args = args;
    this.home = home;
    this.dialect = cloud.dialect;
    this.version = cloud.version;
    this.speed = cloud.speed;
    // "piped" means not a character device: /dev/null and terminals are not piped.
    this.piped = !fstatSync(1).isCharacterDevice();
    this.stdin = kindOfStdin();
  }

  /** The cloud as it is now. */
  cloud(): Cloud {
    return readCloud(this.root);
  }

  /** Is the simulated CLI at least this old? */
  since(version: string): boolean {
    return isAtLeast(this.version, version);
  }

  fault<K extends FaultKind>(kind: K): FaultOf<K> | undefined {
    return this.faults.find((fault): fault is FaultOf<K> => fault.kind === kind);
  }

  out(text: string): void {
    if (this.held !== undefined) this.held += text;
    else writeAll(1, text);
  }

  err(text: string): void {
    writeAll(2, text);
  }

  /** Text that goes to stdout on a terminal but to stderr when stdout is piped. */
  progress(text: string): void {
    if (this.piped) this.err(text);
    else this.out(text);
  }

  /** Keeps stdout back, so that a fault can spoil the whole of it. */
  holdOutput(): void {
    this.held = '';
  }

  releaseOutput(change: (text: string) => string): void {
    const text = this.held ?? '';
    this.held = undefined;
    this.out(change(text));
  }

  /** Waits for simulated milliseconds, or until the signal. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    try {
      await wait(ms / this.speed, undefined, { signal });
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }

  /** Waits as `sleep`, drawing the spinner, which goes to stderr even when that is no terminal. */
  async spin(text: string, ms: number): Promise<void> {
    const end = performance.now() + ms / this.speed;
    for (let frame = 0; ; frame++) {
      this.err(`\u001b[K\r${SPINNER[frame % SPINNER.length]} ${text} `);
      const left = end - performance.now();
      if (left <= 0) break;
      await wait(Math.min(100, left));
    }
    this.err('\u001b[K\r');
  }
}

/** What a subcommand gets: the run, its parsed flags and its positional arguments. */
export interface Invocation {
  run: Run;
  flags: Flags;
  args: string[];
  /** How many positional arguments stood before `--`, if there was one. */
  dashAt: number | undefined;
}

export type Handler = (call: Invocation) => Promise<void>;

/** Reads stdin to its end, as the real CLI does wherever it isn't a character device. */
export async function readPipedStdin(run: Run): Promise<string> {
  if (run.stdin === 'null' || run.stdin === 'tty') return '';
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** One line from whatever stdin is; undefined at its end. Blocks for ever on a silent open pipe. */
export function readLine(): string | undefined {
  const bytes: number[] = [];
  const one = Buffer.alloc(1);
  for (;;) {
    let count: number;
    try {
      count = readSync(0, one, 0, 1, null);
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') {
        pause(5);
        continue;
      }
      if (codeOf(error) === 'EOF') count = 0;
      else throw error;
    }
    if (count === 0) return bytes.length === 0 ? undefined : Buffer.from(bytes).toString();
    if (one[0] === 10) return Buffer.from(bytes).toString();
    bytes.push(one[0] ?? 0);
  }
}

function writeAll(fd: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') pause(2);
      // Nobody reads any more; a Go program dies of SIGPIPE here.
      else if (codeOf(error) === 'EPIPE') throw new CliError('', 1);
      else throw error;
    }
  }
}

function kindOfStdin(): StdinKind {
  const stat = fstatSync(0);
  if (stat.isCharacterDevice()) return isatty(0) ? 'tty' : 'null';
  if (stat.isFIFO()) return 'pipe';
  if (stat.isSocket()) return 'socket';
  return 'file';
}
