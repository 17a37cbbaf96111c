import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** A program that is talked to over its stdin and stdout for as long as it lives. */
export type Conversation = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts a program to talk to: argv, never a shell, nothing inherited. It has a group of its own, so that what it is
 * in the middle of outlives a window that is closed; its end of stdin tells it to finish.
 */
export function startConversation(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Conversation {
  const child = spawn(program, args, {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  // it may end without reading: its end tells, not EPIPE
  child.stdin.on('error', () => undefined);
  return child;
}
