/** What the extension tells the panel's page, and the page the extension. Types only: both sides are built apart. */
export interface PanelSeries {
  readonly name: string;
  /** What x counts. */
  readonly axis: 'step' | 'epoch';
  /** Which curves share a chart: their values are of one kind. */
  readonly chart: string;
  readonly x: readonly number[];
  /** NaN is sent as null: it leaves a gap. */
  readonly y: readonly (number | null)[];
}

export interface PanelFact {
  readonly label: string;
  readonly value: string;
}

export interface PanelJob {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  /** 0 to 1; undefined when it isn't known. */
  readonly progress: number | undefined;
  /** Progress in words, for everybody. */
  readonly progressText: string;
  /** Why less is known of it than usual; empty where nothing is missing. */
  readonly notice: string;
  readonly facts: readonly PanelFact[];
  readonly problem:
    | { readonly sentence: string; readonly advice: string; readonly action: string | undefined }
    | undefined;
  readonly series: readonly PanelSeries[];
}

export interface PanelWords {
  readonly openLog: string;
  readonly openSpec: string;
  readonly results: string;
  readonly compare: string;
  readonly exportCsv: string;
  readonly exportPng: string;
  readonly noCurves: string;
  readonly latest: string;
  readonly name: string;
  readonly value: string;
}

export type ToPage =
  | { readonly kind: 'words'; readonly words: PanelWords }
  | {
      readonly kind: 'jobs';
      /** The jobs that the panel is about, known or not. */
      readonly jobIds: readonly string[];
      readonly jobs: readonly PanelJob[];
      /** A sentence for each job that nothing is known of. */
      readonly missing: readonly string[];
    };

export type FromPage =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'action';
      readonly action: 'openLog' | 'openSpec' | 'results' | 'compare' | 'fix';
      readonly jobId: string;
    }
  | { readonly kind: 'save'; readonly format: 'csv' | 'png'; readonly name: string; readonly base64: string };
