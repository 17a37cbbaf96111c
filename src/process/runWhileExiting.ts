import { spawnSync } from 'node:child_process';

/** Runs a program in an `exit` handler, where nothing can be waited for any more; what it says and does is not asked. */
export function runWhileExiting(program: string, args: readonly string[], timeoutMs: number): void {
  spawnSync(program, args, { stdio: 'ignore', timeout: timeoutMs });
}
