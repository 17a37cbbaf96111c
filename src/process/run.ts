import type { ChildProcess } from 'node:child_process';
import { Redactor } from './redact.ts';

/** How to run a program. `env` is the whole environment; nothing is inherited. */
export interface RunOptions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Bytes kept of each stream; the rest is read and dropped, and `truncated` says so. */
  readonly maxOutputBytes?: number;
  /** Written to stdin. Without it stdin is /dev/null: an open pipe would make the CLI wait for ever. */
  readonly input?: string | Uint8Array;
  /** Gets stdout as it comes; then it isn't kept. */
  readonly onStdout?: (chunk: Uint8Array) => void;
}

export interface RunOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

export type RunResult =
  | ({ readonly kind: 'ok' } & RunOutput)
  | ({
      readonly kind: 'failed';
      readonly exitCode: number | null;
      readonly signal: string | null;
    } & RunOutput)
  | ({ readonly kind: 'timedOut'; readonly timeoutMs: number } & RunOutput)
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'notFound'; readonly program: string }
  | { readonly kind: 'notExecutable'; readonly program: string; readonly reason: string };

/** Runs one program to its end; never throws for what the program does. */
export type Run = (program: string, options: RunOptions) => Promise<RunResult>;

const DEFAULT_MAX_OUTPUT = 16 * 1024 * 1024;
/**
 * How long the pipes may stay silent after the program has exited. A grandchild (ssh's connection master) can
 * hold them for minutes, so their end is not waited for (brev-cli.md part 6, Cancel).
 */
const QUIET_AFTER_EXIT_MS = 250;
const KILL_AFTER_TERM_MS = 2_000;
const MAX_LOGGED_ARGUMENT = 80;

/** Groups that must not outlive this process. */
const liveGroups = new Set<number>();
let cleaningUpAtExit = false;

/** Makes the one function that runs programs: no shell, own process group, everything it logs redacted. */
export function createRun(log: (line: string) => void = () => undefined, redactor = new Redactor()): Run {
  return async (program, options) => {
    if (options.signal?.aborted) {
      return { kind: 'cancelled' };
    }
    const started = performance.now();
    const result = await runOnce(program, options);
    const took = Math.round(performance.now() - started);
    log(
      redactor.redact(
        `${[program, ...options.args.map(abridge)].join(' ')} → ${describe(result)} in ${took} ms`,
      ),
    );
    return result;
  };
}

/** Scripts and uploads stand in arguments: the log shows how they begin. */
function abridge(argument: string): string {
  const line = argument.split('\n', 1)[0] ?? '';
  return line.length < argument.length || line.length > MAX_LOGGED_ARGUMENT
    ? `${line.slice(0, MAX_LOGGED_ARGUMENT)}… (${argument.length} characters)`
    : argument;
}

async function runOnce(program: string, options: RunOptions): Promise<RunResult> {
  const { execa } = await import('execa');
  const stdout = new BoundedOutput(options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT);
  const stderr = new BoundedOutput(options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT);
  const subprocess = execa(program, options.args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: options.env,
    extendEnv: false,
    // a group of its own, so that the CLI's children die with it
    detached: process.platform !== 'win32',
    stdin: options.input === undefined ? 'ignore' : 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    reject: false,
    windowsHide: true,
  });
  const child = subprocess.nodeChildProcess;
  if (options.input !== undefined && child.stdin !== null) {
    // the program may exit without reading: its exit code tells, not EPIPE
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input);
  }
  let lastData = performance.now();
  child.stdout?.on('data', (chunk: Uint8Array) => {
    lastData = performance.now();
    if (options.onStdout) {
      options.onStdout(chunk);
    } else {
      stdout.add(chunk);
    }
  });
  child.stderr?.on('data', (chunk: Uint8Array) => {
    lastData = performance.now();
    stderr.add(chunk);
  });
  const output = (): RunOutput => ({
    stdout: stdout.text(),
    stderr: stderr.text(),
    truncated: stdout.truncated || stderr.truncated,
  });

  const release = trackGroup(child);
  const ended = await new Promise<Ended>((resolve) => {
    const timer = setTimeout(() => resolve({ kind: 'timedOut' }), options.timeoutMs);
    const abort = (): void => resolve({ kind: 'cancelled' });
    options.signal?.addEventListener('abort', abort, { once: true });
    const settle = (result: Ended): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', abort);
      resolve(result);
    };
    child.once('exit', (code, signal) => settle({ kind: 'exited', code, signal }));
    void subprocess.then((result) => {
      if (result.exitCode === undefined && result.signal === undefined) {
        settle({ kind: 'notStarted', code: errorCode(result), reason: result.originalMessage ?? '' });
      }
    });
  });

  switch (ended.kind) {
    case 'notStarted':
      release();
      return ended.code === 'ENOENT'
        ? { kind: 'notFound', program }
        : { kind: 'notExecutable', program, reason: ended.reason };
    case 'cancelled':
      killGroup(child, release);
      return { kind: 'cancelled' };
    case 'timedOut':
      killGroup(child, release);
      return { kind: 'timedOut', timeoutMs: options.timeoutMs, ...output() };
    case 'exited':
      await drained(child, () => lastData);
      release();
      return ended.code === 0
        ? { kind: 'ok', ...output() }
        : { kind: 'failed', exitCode: ended.code, signal: ended.signal, ...output() };
  }
}

type Ended =
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'notStarted'; readonly code: string | undefined; readonly reason: string }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'cancelled' };

/** Waits until both pipes ended, or nothing has come for a while although the program is gone. */
async function drained(child: ChildProcess, lastData: () => number): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null && stream !== undefined);
  const allEnded = Promise.all(
    streams.map((stream) =>
      stream.readableEnded ? undefined : new Promise((end) => stream.once('close', end)),
    ),
  );
  let quiet: NodeJS.Timeout | undefined;
  const silence = new Promise<void>((resolve) => {
    const exitedAt = performance.now();
    const check = (): void => {
      const left = Math.max(lastData(), exitedAt) + QUIET_AFTER_EXIT_MS - performance.now();
      if (left <= 0) {
        resolve();
      } else {
        quiet = setTimeout(check, left);
      }
    };
    check();
  });
  await Promise.race([allEnded, silence]);
  clearTimeout(quiet);
  for (const stream of streams) {
    stream.destroy();
  }
}

function killGroup(child: ChildProcess, release: () => void): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  signalGroup(child, 'SIGTERM');
  const kill = setTimeout(() => {
    signalGroup(child, 'SIGKILL');
    release();
  }, KILL_AFTER_TERM_MS);
  kill.unref();
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) {
    return;
  }
  try {
    if (process.platform === 'win32') {
      child.kill(signal);
    } else {
      process.kill(-child.pid, signal);
    }
  } catch (error) {
    // ESRCH: the whole group is gone already, which is what was wanted
    if (errorCode(error) !== 'ESRCH') {
      throw error;
    }
  }
}

function trackGroup(child: ChildProcess): () => void {
  const { pid } = child;
  if (pid === undefined || process.platform === 'win32') {
    return () => undefined;
  }
  if (!cleaningUpAtExit) {
    cleaningUpAtExit = true;
    process.once('exit', killLiveGroups);
  }
  liveGroups.add(pid);
  return () => liveGroups.delete(pid);
}

function killLiveGroups(): void {
  for (const pid of liveGroups) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // gone already: at exit there is nobody left to tell
    }
  }
}

function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) {
    return undefined;
  }
  if ('code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return 'cause' in error ? errorCode(error.cause) : undefined;
}

function describe(result: RunResult): string {
  switch (result.kind) {
    case 'failed':
      return result.signal === null ? `exit ${result.exitCode}` : result.signal;
    default:
      return result.kind;
  }
}

/** The first bytes of a stream, decoded when it is whole, so that no character is cut in two. */
class BoundedOutput {
  readonly #max: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  truncated = false;

  constructor(max: number) {
    this.#max = max;
  }

  add(chunk: Uint8Array): void {
    const room = this.#max - this.#size;
    if (chunk.length > room) {
      this.truncated = true;
    }
    if (room > 0) {
      const kept = chunk.subarray(0, room);
      this.#chunks.push(kept);
      this.#size += kept.length;
    }
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
