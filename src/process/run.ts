import { access } from 'node:fs/promises';
import path from 'node:path';
import { BoundedOutput } from './boundedOutput.ts';
import { drained } from './drained.ts';
import { errorCode } from './errorCode.ts';
import { type Interruption, interruptions } from './interruption.ts';
import { killGroup, trackGroup } from './processGroup.ts';
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
  /** Gets stdout as it comes; then it isn't kept. What it throws ends the program and is thrown on. */
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
const MAX_LOGGED_ARGUMENT = 80;

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
        // each argument first by itself: cut in two, a secret would not be known any more
        `${[program, ...options.args.map((each) => abridge(redactor.redact(each)))].join(' ')} → ${describe(result)} in ${took} ms`,
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
  if (options.signal?.aborted) {
    return { kind: 'cancelled' };
  }
  if ([program, ...options.args].some((word) => word.includes('\0'))) {
    return { kind: 'notExecutable', program, reason: 'a NUL character in its arguments' };
  }
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
  const interruption = interruptions(options);
  let lastData = performance.now();
  child.stdout?.on('data', (chunk: Uint8Array) => {
    lastData = performance.now();
    if (options.onStdout === undefined) {
      stdout.add(chunk);
      return;
    }
    try {
      options.onStdout(chunk);
    } catch (error) {
      // thrown from here it would end the extension host, for instance when the local disk is full
      interruption.interrupt({ kind: 'threw', error });
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
  const exited = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => resolve({ kind: 'exited', code, signal }));
    void subprocess.then((result) => {
      if (result.exitCode === undefined && result.signal === undefined) {
        resolve({ kind: 'notStarted', code: errorCode(result), reason: result.originalMessage ?? '' });
      }
    });
  });
  try {
    const ended = await Promise.race([interruption.interrupted, exited]);
    switch (ended.kind) {
      case 'notStarted':
        release();
        return await notStarted(program, options, ended);
      case 'cancelled':
        killGroup(child, release);
        return { kind: 'cancelled' };
      case 'timedOut':
        killGroup(child, release);
        return { kind: 'timedOut', timeoutMs: options.timeoutMs, ...output() };
      case 'threw':
        killGroup(child, release);
        throw ended.error;
      case 'exited': {
        // how it ended is known: an interruption now only ends the wait for what may still be in the pipes
        const meanwhile = await drained(child, () => lastData, interruption.interrupted);
        release();
        if (meanwhile?.kind === 'threw') {
          throw meanwhile.error;
        }
        return ended.code === 0
          ? { kind: 'ok', ...output() }
          : { kind: 'failed', exitCode: ended.code, signal: ended.signal, ...output() };
      }
    }
  } finally {
    interruption.dispose();
  }
}

type Ended =
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'notStarted'; readonly code: string | undefined; readonly reason: string }
  | Interruption;

/** ENOENT is also what the system says of a script whose interpreter is missing, and of a missing directory. */
async function notStarted(
  program: string,
  options: RunOptions,
  ended: { readonly code: string | undefined; readonly reason: string },
): Promise<RunResult> {
  if (ended.code !== 'ENOENT') {
    return { kind: 'notExecutable', program, reason: ended.reason };
  }
  if (options.cwd !== undefined && !(await exists(options.cwd))) {
    return { kind: 'notExecutable', program, reason: `its working directory ${options.cwd} is missing` };
  }
  if (path.isAbsolute(program) && (await exists(program))) {
    return { kind: 'notExecutable', program, reason: 'the interpreter that its first line names is missing' };
  }
  return { kind: 'notFound', program };
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // not there, or out of reach: the same to whoever wants to run it
    return false;
  }
}

function describe(result: RunResult): string {
  switch (result.kind) {
    case 'failed':
      return result.signal === null ? `exit ${result.exitCode}` : result.signal;
    default:
      return result.kind;
  }
}
