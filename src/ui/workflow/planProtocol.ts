/** What the extension tells the page of a plan's graph, and the page the extension. Types only: both are built apart. */
export interface PanelStep {
  readonly name: string;
  /** Counts from 0, from left to right. */
  readonly column: number;
  readonly needs: readonly string[];
  readonly platform: string;
  /** For colours. */
  readonly phase: string;
  readonly phaseWord: string;
  /** What it runs, and why it is as it is. */
  readonly facts: readonly string[];
  readonly hasLog: boolean;
  readonly canCancel: boolean;
  readonly canRun: boolean;
}

export interface PanelPlan {
  readonly title: string;
  readonly summary: string;
  readonly steps: readonly PanelStep[];
  readonly canRun: boolean;
  readonly canResume: boolean;
  readonly canCancel: boolean;
}

export interface PlanPanelWords {
  readonly run: string;
  readonly resume: string;
  readonly cancel: string;
  readonly runFrom: string;
  readonly log: string;
  readonly open: string;
  readonly table: string;
  readonly step: string;
  readonly platform: string;
  readonly state: string;
  readonly needs: string;
  readonly nothing: string;
}

export type ToPlanPage =
  | { readonly kind: 'words'; readonly words: PlanPanelWords }
  | {
      readonly kind: 'plan';
      readonly uri: string;
      readonly plan: PanelPlan | undefined;
      /** Why the file can't be read; empty where it can. */
      readonly problem: string;
    };

export type FromPlanPage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'plan'; readonly action: 'run' | 'resume' | 'cancel' | 'open' }
  | { readonly kind: 'step'; readonly action: 'runFrom' | 'cancel' | 'log'; readonly step: string };
