import type { Brev } from '../brev/brev.ts';
import { refresh } from '../brev/exec.ts';
import type { Clock } from '../process/clock.ts';
import type { Outcome } from '../values/outcome.ts';

/** Has the CLI rewrite its ssh config. One run serves everybody who may be content with its age. */
export class ConfigRefresh {
  readonly #brev: Pick<Brev, 'execute'>;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  /** The last one that worked or still runs. */
  #last: { readonly startedAt: number; readonly outcome: Promise<Outcome<void>> } | undefined;

  constructor(brev: Pick<Brev, 'execute'>, clock: Clock) {
    this.#brev = brev;
    this.#clock = clock;
  }

  /** Settles when the config is as Brev knew the instances at that time, or later. */
  async since(time: number): Promise<Outcome<void>> {
    const last = this.#last;
    if (last !== undefined && last.startedAt >= time) {
      return last.outcome;
    }
    // two at once would write the same file; the wait is for its end, whatever that is
    await last?.outcome;
    if (this.#last !== last) {
      return this.since(time);
    }
    const run = { startedAt: this.#clock.now(), outcome: this.#brev.execute(refresh(), this.#abort.signal) };
    this.#last = run;
    const outcome = await run.outcome;
    if (outcome.kind !== 'ok' && this.#last === run) {
      this.#last = undefined;
    }
    return outcome;
  }

  dispose(): void {
    this.#abort.abort();
  }
}
