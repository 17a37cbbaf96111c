import type { Run, RunResult } from '../process/run.ts';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import { unreachable } from '../values/unreachable.ts';
import { cleanText } from './cleanText.ts';
import type { BrevCommand } from './command.ts';
import type { Dialect, DialectProbe } from './dialect.ts';

export interface BrevOptions {
  readonly run: Run;
  /** The absolute path of the binary, looked up again for each call: it may have been installed meanwhile. */
  readonly locate: () => Promise<Outcome<string>>;
  readonly environment: () => Record<string, string>;
  /** An empty folder: `start` and `exec @file` look at the working directory (brev-cli.md parts 6 and 7). */
  readonly workingDirectory: () => Promise<string>;
  readonly log: (line: string) => void;
  readonly dialects: DialectProbe;
  /** Signs in by itself where it can; set once the session exists, which signs in by this same client. */
  readonly session: () => AutomaticSignIn | undefined;
}

/** What the client asks of the session around its calls. */
export interface AutomaticSignIn {
  /** Comes before the first call: without a terminal the CLI would ask on stdin and die (brev-cli.md part 17). */
  beforeCall(signal: AbortSignal | undefined): Promise<void>;
  /** After an answer of a signed-out CLI to a call that began at `since`; true when the call may be repeated. */
  signInAgain(since: number, signal: AbortSignal | undefined): Promise<boolean>;
  /** What to say when even that did not help, or could not be done. */
  failure(seen: Failure): Failure;
}

/** The CLI: runs command objects and turns what it answers into outcomes. */
export class Brev {
  readonly #options: BrevOptions;

  constructor(options: BrevOptions) {
    this.#options = options;
  }

  /**
   * Runs a command. A signed-out CLI is signed in again once, if there is a way without asking anybody; and a
   * read-only command is repeated once after a fault that passes by itself (brev-cli.md part 11).
   */
  async execute<T>(command: BrevCommand<T>, signal?: AbortSignal): Promise<Outcome<T>> {
    try {
      return await this.#execute(command, signal);
    } catch (error) {
      // such as a folder of ours that can't be written: the callers know outcomes, and no rejection
      this.#options.log(`brev ${command.name}: ${String(error)}`);
      return failed(localTrouble(error));
    }
  }

  async #execute<T>(command: BrevCommand<T>, signal: AbortSignal | undefined): Promise<Outcome<T>> {
    const session =
      command.name === 'login' || command.name === 'logout' ? undefined : this.#options.session();
    await session?.beforeCall(signal);
    const since = Date.now();
    const first = await this.#once(command, signal);
    if (first.kind !== 'failed') {
      return first;
    }
    if (session !== undefined && isSignedOut(first.failure)) {
      if (!(await session.signInAgain(since, signal))) {
        return failed(session.failure(first.failure));
      }
      const second = await this.#once(command, signal);
      return second.kind === 'failed' && isSignedOut(second.failure)
        ? failed(session.failure(second.failure))
        : second;
    }
    const transient =
      first.failure.kind === 'unreadableAnswer' &&
      /unexpected end of JSON input/.test(first.failure.detail ?? '');
    return transient && command.readOnly ? this.#once(command, signal) : first;
  }

  /** What the installed CLI can do, or why it cannot serve at all. */
  async dialect(): Promise<Outcome<Dialect>> {
    const located = await this.#options.locate();
    if (located.kind !== 'ok') {
      return located;
    }
    let dialect: Dialect;
    try {
      dialect = await this.#options.dialects.dialect(located.value);
    } catch (error) {
      // the binary went away since it was looked up
      return failed(localTrouble(error));
    }
    return dialect.problem === undefined ? ok(dialect) : failed(dialect.problem);
  }

  /** Streams a command's stdout; the outcome tells how the call itself ended. */
  async stream(
    command: BrevCommand<unknown>,
    onStdout: (chunk: Uint8Array) => void,
    signal?: AbortSignal,
  ): Promise<Outcome<void>> {
    const result = await this.#run(command, signal, onStdout);
    if (result.kind === 'failedToLocate') {
      return failed(result.failure);
    }
    if (result.kind === 'ok') {
      return { kind: 'ok', value: undefined };
    }
    return this.#notOk(command, result);
  }

  /** With the CLI's version: some of them lead one route astray (users.md C, NemoClaw #8924). Nobody waits for that. */
  async #logTimeout(name: string, stderr: string): Promise<void> {
    const dialect = await this.dialect();
    const version = dialect.kind === 'ok' ? dialect.value.version?.text : undefined;
    this.#options.log(`brev ${name}: timedOut, CLI ${version ?? 'of unknown version'}\n${cleanText(stderr)}`);
  }

  async #once<T>(command: BrevCommand<T>, signal: AbortSignal | undefined): Promise<Outcome<T>> {
    const result = await this.#run(command, signal);
    if (result.kind === 'failedToLocate') {
      return failed(result.failure);
    }
    if (result.kind !== 'ok') {
      return this.#notOk(command, result);
    }
    // a signed-out CLI may prompt on stdout and still exit 0
    const outcome = command.parse(result);
    if (outcome.kind === 'failed') {
      const { recogniseError } = await import('./errors.ts');
      const recognised = recogniseError(command.name, result);
      this.#options.log(`brev ${command.name}: ${outcome.failure.kind}\n${outcome.failure.detail ?? ''}`);
      return recognised.kind === 'unexpected' ? outcome : failed(recognised);
    }
    return outcome;
  }

  async #run(
    command: BrevCommand<unknown>,
    signal: AbortSignal | undefined,
    onStdout?: (chunk: Uint8Array) => void,
  ): Promise<RunResult | { readonly kind: 'failedToLocate'; readonly failure: Failure }> {
    const located = await this.#options.locate();
    if (located.kind === 'failed') {
      return { kind: 'failedToLocate', failure: located.failure };
    }
    if (located.kind === 'cancelled') {
      return { kind: 'cancelled' };
    }
    let cwd: string;
    try {
      cwd = await this.#options.workingDirectory();
    } catch (error) {
      return { kind: 'failedToLocate', failure: localTrouble(error) };
    }
    return this.#options.run(located.value, {
      args: command.args,
      env: this.#options.environment(),
      cwd,
      timeoutMs: command.timeoutMs,
      signal,
      ...(onStdout === undefined ? {} : { onStdout }),
    });
  }

  async #notOk(
    command: BrevCommand<unknown>,
    result: Exclude<RunResult, { kind: 'ok' }>,
  ): Promise<Outcome<never>> {
    switch (result.kind) {
      case 'cancelled':
        return cancelled;
      case 'notFound':
        return failed({
          kind: 'cliMissing',
          message: message('The Brev CLI is not installed, or not where VS Code looks for programs.'),
          action: 'openInstallPage',
          retrySafe: true,
        });
      case 'notExecutable':
        return failed({
          kind: 'cliNotExecutable',
          message: message('{0} cannot be run: {1}', result.program, result.reason),
          action: 'chooseCliPath',
          retrySafe: true,
        });
      case 'timedOut':
        void this.#logTimeout(command.name, result.stderr);
        return failed({
          kind: 'timedOut',
          message: message(
            'brev {0} gave no answer within {1} seconds.',
            command.name,
            Math.round(result.timeoutMs / 1000),
          ),
          action: 'refresh',
          retrySafe: command.readOnly,
          detail: cleanText(result.stderr),
        });
      case 'failed': {
        // most windows never see an error, so its catalogue is read with the first one
        const { recogniseError } = await import('./errors.ts');
        const failure = recogniseError(command.name, result);
        this.#options.log(`brev ${command.name}: ${failure.kind}\n${failure.detail ?? ''}`);
        return failed(failure);
      }
      default:
        return unreachable(result);
    }
  }
}

function localTrouble(error: unknown): Failure {
  const text = error instanceof Error ? error.message : String(error);
  return {
    kind: 'localFile',
    message: message('The Brev CLI could not be run on this computer: {0}', text),
    action: 'showLog',
    retrySafe: true,
    detail: text,
  };
}

/** Signed out or with a token that is not good any more; a refused permission is neither (users.md D). */
function isSignedOut(failure: Failure): boolean {
  return failure.kind === 'signedOut' || failure.kind === 'tokenStale';
}
