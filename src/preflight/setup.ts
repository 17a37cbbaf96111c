import { ls } from '../brev/ls.ts';
import { Poller } from '../instances/poller.ts';
import { Emitter, type Listen } from '../values/emitter.ts';
import { type Message, message } from '../values/message.ts';
import type { Outcome } from '../values/outcome.ts';
import { checksFor } from './checks/allChecks.ts';
import {
  type Check,
  type CheckContext,
  type CheckResult,
  notPassed,
  type SetupContext,
} from './checks/check.ts';
import { readEnvFile } from './envFile.ts';

/** One line of the list: what is checked, and what came out last. */
export interface SetupLine {
  readonly id: string;
  readonly title: Message;
  readonly running: boolean;
  /** The last result, kept while the check runs again; undefined before the first. */
  readonly result: CheckResult | undefined;
}

/** The checks of the user's set-up: runs them, and tells each result as it comes. */
export class Setup {
  readonly #context: SetupContext;
  readonly #checks: readonly Check[];
  readonly #changes = new Emitter<SetupLine>();
  readonly #runs: Poller;
  #lines: Map<string, SetupLine>;
  #wanted = false;
  #abort: AbortController | undefined;

  readonly onChange: Listen<SetupLine> = this.#changes.listen;

  constructor(context: SetupContext, checks: readonly Check[] = checksFor(context.platform)) {
    this.#context = context;
    this.#checks = checks;
    this.#lines = new Map(
      checks.map(({ id, title }) => [id, { id, title, running: false, result: undefined }]),
    );
    this.#runs = new Poller({
      clock: context.clock,
      poll: () => this.#checkAll(),
      intervalMs: () => undefined,
    });
  }

  get lines(): readonly SetupLine[] {
    return [...this.#lines.values()];
  }

  get isRunning(): boolean {
    return this.#abort !== undefined;
  }

  /** Runs all checks; during a run it means one more run after it. Resolves with that run's lines. */
  async run(): Promise<readonly SetupLine[]> {
    this.#wanted = true;
    await this.#runs.pollNow();
    return this.lines;
  }

  /** Does a fix, and then checks everything again, whatever came of it; a cancelled one changed nothing. */
  async fix(perform: () => Promise<Outcome<void>>): Promise<Outcome<void>> {
    const outcome = await perform();
    if (outcome.kind !== 'cancelled') {
      await this.run();
    }
    return outcome;
  }

  /** Ends the run that is going on, and those that wait. Its unfinished lines keep what they said before. */
  cancel(): void {
    this.#wanted = false;
    this.#abort?.abort();
  }

  dispose(): void {
    this.#runs.dispose();
    this.cancel();
  }

  async #checkAll(): Promise<void> {
    if (!this.#wanted) {
      return;
    }
    this.#wanted = false;
    const abort = new AbortController();
    this.#abort = abort;
    for (const { id } of this.#checks) {
      this.#change(id, { running: true });
    }
    const context = forOneRun(this.#context, abort.signal);
    const results = new Map<string, Promise<CheckResult | undefined>>();
    for (const check of this.#checks) {
      const before = check.after === undefined ? undefined : results.get(check.after.id);
      results.set(check.id, this.#checkOne(check, before, context, abort.signal));
    }
    await Promise.all(results.values());
    this.#abort = undefined;
  }

  /** The result; undefined when the run was cancelled. */
  async #checkOne(
    check: Check,
    before: Promise<CheckResult | undefined> | undefined,
    context: CheckContext,
    signal: AbortSignal,
  ): Promise<CheckResult | undefined> {
    const needed = await before;
    const skip =
      check.after !== undefined && needed?.state !== 'passed' && needed?.state !== 'warning'
        ? notPassed('skipped', check.after.otherwise)
        : undefined;
    const result = signal.aborted ? undefined : (skip ?? (await withinLimit(check, context, signal)));
    this.#change(check.id, { running: false, ...(result === undefined ? {} : { result }) });
    return result;
  }

  #change(id: string, change: Partial<SetupLine>): void {
    const line = this.#lines.get(id);
    if (line !== undefined) {
      const changed = { ...line, ...change };
      this.#lines.set(id, changed);
      this.#changes.emit(changed);
    }
  }
}

/** Runs a check, and doesn't wait for it longer than its limit or the signal; undefined when that aborted. */
function withinLimit(
  check: Check,
  context: CheckContext,
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  const own = new AbortController();
  return new Promise((resolve) => {
    const end = (result: CheckResult | undefined): void => {
      cancelTimer();
      signal.removeEventListener('abort', aborted);
      own.abort();
      resolve(result);
    };
    const aborted = (): void => end(undefined);
    const cancelTimer = context.clock.after(check.limitMs, () =>
      end(
        notPassed(
          'unknown',
          message('There was no answer within {0} seconds.', Math.round(check.limitMs / 1_000)),
        ),
      ),
    );
    signal.addEventListener('abort', aborted);
    check.run(context, own.signal).then(end, (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      context.log(`check ${check.id}: ${reason}`);
      end(notPassed('unknown', message('This could not be checked: {0}', reason)));
    });
  });
}

/** Several checks look at the same answers: each is asked for once in a run. */
function forOneRun(context: SetupContext, signal: AbortSignal): CheckContext {
  return {
    ...context,
    dialect: once(() => context.brev.dialect()),
    listing: once(() => context.brev.execute(ls(), signal)),
    envFile: once(() => readEnvFile(context.envFilePath)),
  };
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}
