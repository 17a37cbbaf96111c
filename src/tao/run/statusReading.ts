import type { Metric } from '../log/events.ts';
import type { Trouble } from '../log/trouble.ts';
import { troublesIn } from '../log/troubleSigns.ts';
import { Curves } from './curves.ts';
import { Figures } from './figures.ts';
import type { RunSummary } from './runSummary.ts';
import type { StatusEvent } from './statusParser.ts';

/** How the last run in a status.json stands. */
export class StatusReading {
  #curves = new Curves();
  /** Those of the run before, which this one may go on with. */
  #curvesBefore = new Curves();
  #figures = new Figures();
  #standing: RunSummary['status'];
  #task: string | undefined;
  #epoch: number | undefined;
  #epochs: number | undefined;
  #secondsPerEpoch: number | undefined;
  #told: { readonly seconds: number; readonly epoch: number } | undefined;
  #troubles: readonly Trouble[] = [];
  /** Measured, but the line with the epoch comes later. */
  #pending: Metric[] = [];

  get curves(): Curves {
    return this.#curves;
  }

  get figures(): Figures {
    return this.#figures;
  }

  get standing(): RunSummary['status'] {
    return this.#standing;
  }

  get task(): string | undefined {
    return this.#task;
  }

  get epoch(): number | undefined {
    return this.#epoch;
  }

  get epochs(): number | undefined {
    return this.#epochs;
  }

  get secondsPerEpoch(): number | undefined {
    return this.#secondsPerEpoch;
  }

  get told(): { readonly seconds: number; readonly epoch: number } | undefined {
    return this.#told;
  }

  /** Of its last line; a FAILURE before it was none that ended the run (tao.md part 3). */
  get troubles(): readonly Trouble[] {
    return this.#troubles;
  }

  take(event: StatusEvent): void {
    if (event.kind === 'run') {
      this.#curvesBefore = this.#curves;
      this.#curves = new Curves();
      this.#figures = new Figures();
      this.#task = event.task;
      this.#epoch = undefined;
      this.#epochs = undefined;
      this.#secondsPerEpoch = undefined;
      this.#told = undefined;
      this.#pending = [];
      return;
    }
    this.#standing = {
      last: event.status,
      message: event.message,
      isFinished: event.status === 'SUCCESS' || /finished successfully\.?$/.test(event.message),
    };
    if (event.message.startsWith('Resuming training from checkpoint')) {
      this.#curves = this.#curvesBefore;
    }
    this.#troubles = event.status === 'FAILURE' ? failureTroubles(event.message) : [];
    for (const kpi of event.kpis) {
      this.#figures.set(kpi, event.epoch ?? this.#epoch);
    }
    this.#pending.push(...event.kpis);
    if (event.epoch === undefined) {
      // without a training there is no epoch that they could belong to
      this.#pending.splice(0, this.#pending.length - 128);
      return;
    }
    this.#epoch = event.epoch;
    this.#epochs = event.epochs ?? this.#epochs;
    this.#secondsPerEpoch = event.secondsPerEpoch ?? this.#secondsPerEpoch;
    this.#told =
      event.etaSeconds === undefined ? undefined : { seconds: event.etaSeconds, epoch: event.epoch };
    for (const { name, value } of this.#pending) {
      this.#curves.add(name, event.epoch + 1, value);
    }
    this.#pending = [];
  }
}

/** The words before the colon are TAO's name for the kind of exception. */
function failureTroubles(message: string): readonly Trouble[] {
  const known = troublesIn(message, { rank: undefined, isBeforeRun: false });
  if (known.length > 0) {
    return known;
  }
  const [, type = 'FAILURE', text = message] = /^([A-Z][\w/ ]{1,60}): ([\s\S]{0,1000})/.exec(message) ?? [];
  return [{ kind: 'exception', type, text, rank: undefined }];
}
