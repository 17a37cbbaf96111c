import type { BarEvent, LogEvent, Phase } from '../log/events.ts';
import { LogParser } from '../log/logParser.ts';
import { likeliest, type Trouble, type TroubleKind } from '../log/trouble.ts';
import type { CurvePoints } from './curve.ts';
import { Curves } from './curves.ts';
import { type EtaFacts, epochSeconds, etaSeconds } from './eta.ts';
import { Figures } from './figures.ts';
import type { Checkpoint, RunSummary } from './runSummary.ts';
import { type StatusEvent, StatusParser } from './statusParser.ts';
import { StatusReading } from './statusReading.ts';

/** What is known of a run before its log says anything. */
export interface RunExpectation {
  /** The spec's train.num_epochs. */
  readonly epochs?: number;
  readonly action?: string;
}

const MAX_CHECKPOINTS = 20;

/**
 * Reads one job's log and status.json side by side, in whatever pieces they come, and knows at any time how the run
 * stands. Its size is bounded, whatever the run writes.
 */
export class RunReading {
  readonly #log: LogParser;
  readonly #statusFile: StatusParser;
  readonly #expected: RunExpectation;
  readonly #curves = new Curves();
  readonly #status = new StatusReading();
  readonly #figures = new Figures();
  readonly #troubles = new Map<TroubleKind, Trouble>();
  readonly #checkpoints: Checkpoint[] = [];
  #phase: Phase | undefined;
  #bar: BarEvent | undefined;
  #trainBar: BarEvent | undefined;
  /** Steps of an epoch, where the bars don't say it: as many as the one before had. */
  #stepsBefore: number | undefined;
  #pull: RunSummary['pull'];
  #task: string | undefined;
  #resultsDir: string | undefined;
  #ranks: number | undefined;
  #resumedFrom: string | undefined;
  #maxEpochs: number | undefined;
  #executionStatus: RunSummary['executionStatus'];
  #exception: RunSummary['exception'];

  constructor(expected: RunExpectation = {}) {
    this.#expected = expected;
    this.#log = new LogParser((event) => this.take(event));
    this.#statusFile = new StatusParser((event) => this.takeStatus(event));
  }

  /** The next bytes of the job's log. */
  pushLog(bytes: Uint8Array): void {
    this.#log.push(bytes);
  }

  /** The next bytes of status.json. */
  pushStatus(bytes: Uint8Array): void {
    this.#statusFile.push(bytes);
  }

  /** Both are complete. */
  end(): void {
    this.#log.end();
    this.#statusFile.end();
  }

  /** Takes an event of a log that somebody else reads. */
  take(event: LogEvent): void {
    switch (event.kind) {
      case 'phase':
        this.#phase = event.phase;
        break;
      case 'pull':
        this.#pull = { layers: event.layers, done: event.done };
        break;
      case 'bar':
        this.#takeBar(event);
        break;
      case 'resultsDir':
        this.#resultsDir = event.path;
        this.#task = event.task;
        break;
      case 'ranks':
        this.#ranks = event.count;
        break;
      case 'checkpoint':
        this.#takeCheckpoint(event);
        break;
      case 'maxEpochs':
        this.#maxEpochs = event.epochs;
        break;
      case 'kpi':
        this.#figures.set(event.metric, this.#trainBar?.epoch);
        break;
      case 'exception':
        this.#exception = { type: event.type, text: event.text, rank: event.rank };
        break;
      case 'trouble':
        this.#troubles.set(event.trouble.kind, event.trouble);
        break;
      case 'executionStatus':
        this.#executionStatus = event.status;
        break;
    }
  }

  /** Takes an event of a status.json that somebody else reads. */
  takeStatus(event: StatusEvent): void {
    this.#status.take(event);
  }

  /** How the run stands now. */
  get summary(): RunSummary {
    const eta = this.#eta;
    const isDone = this.#phase === 'done';
    const bar = this.#bar;
    const troubles = this.#allTroubles;
    const latest = new Map([...this.#status.figures.latest, ...this.#figures.latest]);
    return {
      phase: this.#phase,
      task: this.#task ?? this.#status.task ?? this.#expected.action,
      pull: this.#pull,
      epoch: eta.epoch,
      epochs: eta.epochs,
      step: bar?.done,
      steps: bar?.total,
      progress: this.#progress(eta),
      etaSeconds: isDone ? undefined : etaSeconds(eta),
      secondsPerEpoch: epochSeconds(eta),
      learningRate: [...latest].find(([name]) => /^lr(?:$|[-_/])/.test(name))?.[1],
      latest,
      ranks: this.#ranks,
      resultsDir: this.#resultsDir,
      checkpoints: [...this.#checkpoints],
      resumedFrom: this.#resumedFrom,
      executionStatus: this.#executionStatus,
      status: this.#status.standing,
      exception: this.#exception,
      trouble: likeliest(troubles),
      troubles,
    };
  }

  /** All curves; those that status.json has stand in for the rounded ones of the bars. */
  curves(): readonly CurvePoints[] {
    const names = new Set([...this.#curves.names(), ...this.#status.curves.names()]);
    return [...names].flatMap((name) => {
      const shown = this.#curves.points(name);
      const exact = this.#status.curves.points(name);
      const isExactBehind = (exact?.x.at(-1) ?? 0) < Math.floor(shown?.x.at(-1) ?? 0);
      return (isExactBehind ? shown : (exact ?? shown)) ?? [];
    });
  }

  #takeBar(bar: BarEvent): void {
    this.#bar = bar;
    if (bar.phase !== 'train' || bar.epoch === undefined) {
      return;
    }
    const before = this.#trainBar;
    if (before !== undefined && before.epoch !== bar.epoch) {
      this.#stepsBefore = before.total ?? before.done;
    }
    this.#trainBar = bar;
    const steps = bar.total ?? this.#stepsBefore;
    const x = bar.epoch + (steps === undefined || steps === 0 ? 0 : Math.min(1, bar.done / steps));
    this.#curves.addShown(bar.metrics, x);
    for (const metric of bar.metrics) {
      this.#figures.set(metric, bar.epoch);
    }
  }

  #takeCheckpoint(event: LogEvent & { readonly kind: 'checkpoint' }): void {
    if (event.use === 'resumed') {
      this.#resumedFrom = event.path;
      return;
    }
    this.#checkpoints.push({ path: event.path, epoch: event.epoch });
    if (this.#checkpoints.length > MAX_CHECKPOINTS) {
      this.#checkpoints.shift();
    }
  }

  get #allTroubles(): readonly Trouble[] {
    const troubles = new Map(this.#troubles);
    if (this.#exception !== undefined) {
      troubles.set('exception', { kind: 'exception', ...this.#exception });
    }
    for (const trouble of this.#status.troubles) {
      if (!troubles.has(trouble.kind)) {
        troubles.set(trouble.kind, trouble);
      }
    }
    const nan = this.#figures.trouble ?? this.#status.figures.trouble;
    return nan === undefined ? [...troubles.values()] : [...troubles.values(), nan];
  }

  get #eta(): EtaFacts {
    const bar = this.#trainBar;
    const told = this.#status.told;
    return {
      epoch: bar?.epoch ?? this.#status.epoch,
      epochs: this.#maxEpochs ?? this.#status.epochs ?? this.#expected.epochs,
      elapsed: bar?.elapsedSeconds,
      remaining: bar?.remainingSeconds,
      secondsPerEpoch: this.#status.secondsPerEpoch,
      told,
    };
  }

  #progress({ epoch, epochs }: EtaFacts): number | undefined {
    const bar = this.#trainBar;
    if (epoch === undefined) {
      const of = this.#bar?.total;
      return of === undefined || of === 0 ? undefined : Math.min(1, (this.#bar?.done ?? 0) / of);
    }
    if (epochs === undefined || epochs === 0) {
      return undefined;
    }
    const within = bar === undefined ? 1 : bar.total === undefined ? 0 : bar.done / Math.max(1, bar.total);
    return Math.min(1, (epoch + within) / epochs);
  }
}
