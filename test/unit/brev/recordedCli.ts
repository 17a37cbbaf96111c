import { Brev } from '../../../src/brev/brev.ts';
import { type Dialect, DialectProbe, readDialect } from '../../../src/brev/dialect.ts';
import type { RunOptions, RunResult } from '../../../src/process/run.ts';
import { ok } from '../../../src/values/outcome.ts';

export const HELP = [
  'Commands:',
  ...['ls', 'search', 'create', 'delete', 'stop', 'start', 'exec', 'login'].map(
    (name) => `  ${name}    Does it`,
  ),
].join('\n');
export const CREATE_HELP = "Flags:\n  -d, --detached       Don't wait\n  -t, --type string    Types to try";

/** What the CLI prints when all is well. */
export const printed = (stdout: string, stderr = ''): RunResult => ({
  kind: 'ok',
  stdout,
  stderr,
  truncated: false,
});

/** How it fails. */
export const failing = (stderr: string, stdout = '', exitCode = 1): RunResult => ({
  kind: 'failed',
  exitCode,
  signal: null,
  stdout,
  stderr,
  truncated: false,
});

export const LOGGED_OUT = failing(
  '2026/12/01 09:00:00.000001 WARN RESTY EOF, Attempt 1\n2026/12/01 09:00:00.000002 ERROR RESTY EOF\nEOF\n',
  'You are currently logged out, would you like to log in? [Y/n]: ',
);

/** One row of `ls --json`, as a healthy machine has it. */
export const row = (name: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  name,
  id: `id-${name}`,
  status: 'RUNNING',
  build_status: 'COMPLETED',
  shell_status: 'READY',
  health_status: 'HEALTHY',
  instance_type: 'g6e.xlarge',
  instance_kind: 'gpu',
  gpu: 'L40S',
  ...fields,
});

export const listed = (...rows: readonly unknown[]): RunResult =>
  printed(`${JSON.stringify({ workspaces: rows.length === 0 ? null : rows }, null, 2)}\n`);

export type Answer = (args: readonly string[], options: RunOptions) => RunResult | Promise<RunResult>;

/** The client of a CLI that is played by a function, and what was called. */
export class RecordedCli {
  /** The command lines. */
  readonly calls: string[][] = [];
  readonly options: RunOptions[] = [];
  readonly log: string[] = [];
  readonly brev: Brev;
  answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
    const run = async (_program: string, options: RunOptions): Promise<RunResult> => {
      if (options.signal?.aborted) {
        return { kind: 'cancelled' };
      }
      this.calls.push([...options.args]);
      this.options.push(options);
      return this.answer(options.args, options);
    };
    this.brev = new Brev({
      run,
      locate: async () => ok('/usr/bin/brev'),
      environment: () => ({}),
      workingDirectory: async () => '/nowhere',
      log: (line) => this.log.push(line),
      dialects: new KnownDialect(run, () => ({})),
      session: () => undefined,
    });
  }

  /** How often a command was called. */
  count(...args: readonly string[]): number {
    return this.calls.filter((call) => args.every((word, index) => call[index] === word)).length;
  }
}

/** What today's CLI can do, without looking for its binary. */
class KnownDialect extends DialectProbe {
  override async dialect(): Promise<Dialect> {
    return readDialect({
      version: 'Current Version: v0.6.327\n',
      help: HELP,
      create: CREATE_HELP,
      login: '',
    });
  }
}
