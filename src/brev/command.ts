import type { Outcome } from '../values/outcome.ts';

/** What a call printed, when it exited with 0. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** One call of the CLI as data: what to run and how to read it; no IO. */
export interface BrevCommand<T> {
  /** The subcommand, for messages and logs. */
  readonly name: string;
  readonly args: readonly string[];
  /** The CLI itself has no time limits (brev-cli.md part 0). */
  readonly timeoutMs: number;
  /** True for calls that only read: they may be repeated after a transient fault. */
  readonly readOnly: boolean;
  readonly parse: (output: CommandOutput) => Outcome<T>;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

/** For commands whose exit code is all there is. */
export const nothing = (): Outcome<void> => ({ kind: 'ok', value: undefined });
