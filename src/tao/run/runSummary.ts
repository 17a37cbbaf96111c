import type { Phase } from '../log/events.ts';
import type { Trouble } from '../log/trouble.ts';
import type { TaoStatus } from './statusParser.ts';

/** A file of weights that the run wrote, or went on from. */
export interface Checkpoint {
  readonly path: string;
  /** From 0. */
  readonly epoch: number | undefined;
}

/** How far a run is and how it goes, as far as log and status.json tell; what isn't known is undefined. */
export interface RunSummary {
  readonly phase: Phase | undefined;
  /** `train`, `evaluate`, … in TAO's words. */
  readonly task: string | undefined;
  /** The image while it is pulled. */
  readonly pull: { readonly layers: number; readonly done: number } | undefined;
  /** From 0, as TAO counts; show it plus one. */
  readonly epoch: number | undefined;
  readonly epochs: number | undefined;
  /** Within the epoch, or within what is validated, tested, … */
  readonly step: number | undefined;
  readonly steps: number | undefined;
  /** Of the whole run, 0 to 1. */
  readonly progress: number | undefined;
  readonly etaSeconds: number | undefined;
  readonly secondsPerEpoch: number | undefined;
  readonly learningRate: number | undefined;
  /** The newest value of each figure, losses and KPIs alike. */
  readonly latest: ReadonlyMap<string, number>;
  readonly ranks: number | undefined;
  readonly resultsDir: string | undefined;
  /** The last ones. */
  readonly checkpoints: readonly Checkpoint[];
  readonly resumedFrom: string | undefined;
  /** TAO's own last word in the log; some networks say PASS although they failed (tao.md part 3). */
  readonly executionStatus: 'PASS' | 'FAIL' | undefined;
  /** How the last run in status.json stands. */
  readonly status:
    | {
        readonly last: TaoStatus;
        readonly message: string;
        /** Its last line says that it is through; PyTorch networks never write SUCCESS (tao.md part 3). */
        readonly isFinished: boolean;
      }
    | undefined;
  /** The last exception that ended a traceback. */
  readonly exception:
    | { readonly type: string; readonly text: string; readonly rank: number | undefined }
    | undefined;
  /** What most likely went wrong; while the run goes on, it may yet turn out to be harmless. */
  readonly trouble: Trouble | undefined;
  readonly troubles: readonly Trouble[];
}
