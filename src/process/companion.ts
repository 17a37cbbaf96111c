import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/**
 * Starts a program that goes on and is talked with over its pipes; no shell, and `env` is its whole environment. It is
 * not in our group: what it is doing outlives a window that is closed.
 */
export function startCompanion(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcessWithoutNullStreams {
  return spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true, windowsHide: true });
}
