import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** A stuck CLI must not stick the suite; nothing that works comes near this. Real machines start in minutes. */
const GUARD_MS = process.env.BREV_BIN === undefined ? 30_000 : 900_000;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface StartOptions {
  /** What stdin is: /dev/null (default), an open pipe, or a pipe with this text and its end. */
  stdin?: 'null' | 'open' | { text: string };
  /** Where stdout goes: a pipe (default) or a file, which may be /dev/null. */
  stdout?: 'pipe' | { file: string };
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** A process group of its own, so that the test can signal the whole of it. */
  group?: boolean;
}

/** A running CLI: what it has printed so far, and its end. */
export interface Running {
  child: ChildProcess;
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Settles once the text on that stream matches; rejects if the stream ends before. */
  until(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<void>;
  /** The process is gone; its pipes may be open still. */
  exited: Promise<void>;
  /** The process is gone and its pipes have ended. */
  ended: Promise<Ended>;
}

/** Starts a program without any shell. */
export function start(file: string, args: string[], options: StartOptions = {}): Running {
  const { stdin = 'null', stdout = 'pipe' } = options;
  const output = stdout === 'pipe' ? 'pipe' : openSync(stdout.file, 'w');
  const child = spawn(file, args, {
    stdio: [stdin === 'null' ? 'ignore' : 'pipe', output, 'pipe'],
    env: options.env ?? process.env,
    cwd: options.cwd,
    detached: options.group ?? false,
  });
  if (typeof output === 'number') closeSync(output);
  if (typeof stdin === 'object') child.stdin?.end(stdin.text);
  // A CLI that doesn't read its stdin closes it under our hands.
  child.stdin?.on('error', () => undefined);
  const out = collect(child.stdout);
  const err = collect(child.stderr);
  const exited = new Promise<void>((resolve, reject) => {
    child.on('exit', () => resolve());
    child.on('error', reject);
  });
  return {
    child,
    pid: child.pid ?? 0,
    stdout: out.text,
    stderr: err.text,
    until: (stream, pattern) => (stream === 'stdout' ? out : err).until(pattern),
    exited,
    ended: finish(child, out.text, err.text),
  };
}

function finish(child: ChildProcess, stdout: () => string, stderr: () => string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const guard = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`still running after ${GUARD_MS} ms; stdout ${stdout()}; stderr ${stderr()}`));
    }, GUARD_MS);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(guard);
      resolve({ code, signal, stdout: stdout(), stderr: stderr() });
    });
  });
}

function collect(stream: NodeJS.ReadableStream | null) {
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).toString();
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const until = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (pattern.test(text())) resolve();
      };
      stream?.on('data', check);
      stream?.on('end', () => reject(new Error(`ended without ${pattern}: ${text()}`)));
      check();
    });
  return { text, until };
}
