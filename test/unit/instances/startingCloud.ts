import type { TestContext } from 'node:test';
import type { ReadinessOptions, ReadinessSettings } from '../../../src/instances/readiness.ts';
import { InstanceStore } from '../../../src/instances/store.ts';
import type { RunResult } from '../../../src/process/run.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { failing, listed, printed, RecordedCli, row } from '../brev/recordedCli.ts';

export const MINUTE = 60_000;
export const SETTINGS: ReadinessSettings = {
  intervalMs: 5_000,
  deadlineMs: 5 * MINUTE,
  stuckMs: 20 * MINUTE,
};
export const REFUSED = failing(
  'could not connect to instance "a": \nssh: connect to host h port 22: Connection refused\r\n',
);

/** One instance, `a`, on its way up: what the list shows and how an exec goes, by the clock. */
export class StartingCloud {
  readonly clock = new FakeClock();
  readonly cli: RecordedCli;
  readonly store: InstanceStore;
  readonly began: number;
  /** What `ls` shows so many milliseconds after the beginning; undefined: the row is gone. */
  list: (elapsedMs: number) => Readonly<Record<string, unknown>> | undefined | RunResult = () => ({});
  exec: (elapsedMs: number, signal?: AbortSignal) => RunResult | Promise<RunResult> = () =>
    printed('@ok\na\n');
  /** The states in which the row was shown when an exec came. */
  readonly execsIn: string[] = [];
  #shown = '';

  constructor(t: Pick<TestContext, 'after'>, name = 'a') {
    this.began = this.clock.now();
    this.cli = new RecordedCli((args, options) => {
      switch (args[0]) {
        case 'ls': {
          const shown = args[1] === '--json' ? this.list(this.elapsed) : undefined;
          if (shown !== undefined && isResult(shown)) {
            return shown;
          }
          this.#shown = String(shown?.status ?? 'RUNNING');
          return args[1] === 'orgs'
            ? printed('[{"id": "o"}]')
            : shown === undefined
              ? listed()
              : listed(row(name, { id: 'id-a', ...shown }));
        }
        case 'search':
          return printed('[]');
        case 'exec':
          this.execsIn.push(this.#shown);
          return this.exec(this.elapsed, options.signal);
        default:
          throw new Error(`not expected: ${args.join(' ')}`);
      }
    });
    this.store = new InstanceStore({
      brev: this.cli.brev,
      clock: this.clock,
      intervals: () => ({ steadyMs: 45_000, transitionMs: 4_000 }),
    });
    t.after(() => this.store.dispose());
  }

  get elapsed(): number {
    return this.clock.now() - this.began;
  }

  get options(): ReadinessOptions {
    return { brev: this.cli.brev, store: this.store, clock: this.clock, settings: () => SETTINGS };
  }
}

function isResult(shown: Readonly<Record<string, unknown>> | RunResult): shown is RunResult {
  return typeof shown.kind === 'string';
}
