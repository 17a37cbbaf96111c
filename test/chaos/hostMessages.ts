import type { Route } from './schedule.ts';

/** What a window is started with; no secret is in it, because it stands on a command line. */
export interface HostSettings {
  /** Shared by all windows: records and folders of jobs. */
  readonly folder: string;
  readonly route: Route;
  readonly brevPath: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly instance: { readonly id: string; readonly name: string };
}

export type HostOrder =
  | {
      readonly kind: 'submit';
      readonly key: string;
      readonly work:
        | { readonly kind: 'command'; readonly command: string }
        | {
            readonly kind: 'container';
            readonly spec: { readonly network: string; readonly action: string; readonly image: string };
          };
      readonly secrets: {
        readonly environment: readonly (readonly [string, string])[];
        readonly ngcKey: string | undefined;
      };
    }
  | { readonly kind: 'cancel'; readonly id: string; readonly key: string }
  | { readonly kind: 'leap'; readonly ms: number }
  | { readonly kind: 'quit' };

export type HostEvent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'step'; readonly key: string; readonly step: string }
  | { readonly kind: 'submitted'; readonly key: string; readonly outcome: string }
  | { readonly kind: 'cancelled'; readonly id: string; readonly outcome: string }
  | { readonly kind: 'end'; readonly id: string; readonly state: string; readonly sentence: string }
  | {
      readonly kind: 'change';
      readonly id: string;
      readonly state: string;
      readonly note: string;
      readonly trouble: string;
    };
