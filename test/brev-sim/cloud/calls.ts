import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type StdinKind = 'null' | 'tty' | 'pipe' | 'socket' | 'file' | 'closed';

/** The part of the environment that changes what the CLI does; SSH_AUTH_SOCK only as set or not. */
export interface CallEnvironment extends Partial<Record<(typeof LOGGED_VARIABLES)[number], string>> {
  SSH_AUTH_SOCK: boolean;
}

export const LOGGED_VARIABLES = [
  'HOME',
  'DO_NOT_TRACK',
  'BREV_NO_ANALYTICS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
] as const;

/** One run of the simulated brev, as logged by itself. */
export interface Call {
  id: string;
  at: number;
  pid: number;
  args: string[];
  env: CallEnvironment;
  cwd: string;
  stdin: StdinKind;
  /** null while it runs, and for good where it was killed. */
  exitCode: number | null;
  durationMs: number | null;
}

interface Ending {
  id: string;
  exitCode: number;
  durationMs: number;
}

const logOf = (root: string) => join(root, 'calls.jsonl');

/** Notes that a call began. One append below the pipe limit is atomic between processes. */
export function logStart(root: string, call: Call): void {
  appendFileSync(logOf(root), `${JSON.stringify(call)}\n`);
}

export function logEnd(root: string, ending: Ending): void {
  appendFileSync(logOf(root), `${JSON.stringify(ending)}\n`);
}

/** All calls in the order in which they began. */
export function readCalls(root: string): Call[] {
  if (!existsSync(logOf(root))) return [];
  const calls = new Map<string, Call>();
  // A line may be half written by a process that runs now: only whole lines count.
  for (const line of readFileSync(logOf(root), 'utf8').split('\n').slice(0, -1)) {
    const entry: Call | Ending = JSON.parse(line);
    if ('args' in entry) calls.set(entry.id, entry);
    else {
      const call = calls.get(entry.id);
      if (call !== undefined) Object.assign(call, entry);
    }
  }
  return [...calls.values()];
}
