import type { Trouble } from './trouble.ts';

/** What a job is doing, as far as its log tells. */
export type Phase =
  | 'pull'
  | 'load'
  | 'sanity'
  | 'train'
  | 'validate'
  | 'test'
  | 'predict'
  | 'export'
  | 'done';

/** A figure by the name that TAO gives it. */
export interface Metric {
  readonly name: string;
  /** NaN and infinities are values too: they are what a broken training shows. */
  readonly value: number;
}

/** One picture of a progress bar. */
export interface BarEvent {
  readonly kind: 'bar';
  readonly phase: 'sanity' | 'train' | 'validate' | 'test' | 'predict';
  /** From 0, as TAO counts; only for training. */
  readonly epoch: number | undefined;
  readonly done: number;
  /** Undefined where the data set doesn't know its length. */
  readonly total: number | undefined;
  readonly elapsedSeconds: number | undefined;
  readonly remainingSeconds: number | undefined;
  readonly metrics: readonly Metric[];
}

/** What a log says, in its order. */
export type LogEvent =
  | BarEvent
  | { readonly kind: 'phase'; readonly phase: Phase }
  /** An image being pulled: layers that are known, and those that are there. */
  | { readonly kind: 'pull'; readonly layers: number; readonly done: number }
  | { readonly kind: 'resultsDir'; readonly task: string; readonly path: string }
  | { readonly kind: 'ranks'; readonly count: number }
  | {
      readonly kind: 'checkpoint';
      readonly path: string;
      readonly use: 'saved' | 'resumed';
      readonly epoch: number | undefined;
    }
  /** The training ended because it had run all its epochs. */
  | { readonly kind: 'maxEpochs'; readonly epochs: number }
  /** A figure from the table at the end of an evaluation. */
  | { readonly kind: 'kpi'; readonly metric: Metric }
  /** The end of a traceback. */
  | {
      readonly kind: 'exception';
      readonly type: string;
      readonly text: string;
      readonly rank: number | undefined;
    }
  | { readonly kind: 'trouble'; readonly trouble: Trouble }
  /** TAO's own last word; a killed container says none (tao.md part 3). */
  | { readonly kind: 'executionStatus'; readonly status: 'PASS' | 'FAIL' };
