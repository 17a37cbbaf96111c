import type { PlatformId } from '../platforms/platform.ts';
import type { Place } from '../tao/spec/place.ts';
import type { Message } from '../values/message.ts';

/** What a step runs. */
export type StepWork =
  /** A command line: in the image where there is one, else on the instance itself. */
  | { readonly kind: 'command'; readonly command: string; readonly image: string | undefined }
  /** A TAO program with a spec file. */
  | {
      readonly kind: 'spec';
      /** The words that start it, such as `visual_changenet` and `train`. */
      readonly network: string;
      readonly action: string;
      readonly image: string;
      /** Relative to the plan's folder, in the order in which they are looked for. */
      readonly specFiles: readonly [string, ...string[]];
    };

/** The machine of a step on Brev. */
export type StepInstance =
  /** One that exists, by its name or id. */
  | { readonly kind: 'existing'; readonly instance: string }
  /** Made for this step, and deleted when its outputs are safe. No types: the cheapest that fits. */
  | { readonly kind: 'new'; readonly types: readonly string[] }
  /** That of an earlier step, of the step that it was made for or names it in the end. */
  | { readonly kind: 'reuse'; readonly step: string; readonly owner: string };

/** What is copied into the container before the program starts. */
export interface StepInput {
  /** In the container. */
  readonly path: string;
  readonly uri: string;
  /** The step that writes it, if one does. */
  readonly writtenBy: string | undefined;
  readonly kind: 'file' | 'folder';
}

/** What the program leaves in the container, and where in S3 it is to be. */
export interface StepOutput {
  readonly path: string;
  readonly uri: string;
  readonly kind: 'file' | 'folder';
}

export interface Step {
  readonly name: string;
  /** Where it begins in the file. */
  readonly place: Place;
  readonly skill: string;
  readonly action: string;
  readonly platform: PlatformId;
  /** All that must be done before, said or implied; in the order of the plan. */
  readonly needs: readonly string[];
  readonly work: StepWork;
  readonly gpus: 'all' | number;
  readonly nodes: number;
  /** Undefined on Lepton, which has no instances. */
  readonly instance: StepInstance | undefined;
  /** Lepton's name for the machine of a node; undefined on Brev. */
  readonly shape: string | undefined;
  readonly nodeGroup: string | undefined;
  readonly inputs: readonly StepInput[];
  readonly outputs: readonly StepOutput[];
  /** Registry logins that the Lepton workspace keeps, by their names. */
  readonly pullSecrets: readonly string[];
  /** Names of variables whose values the user has; never the values. */
  readonly env: readonly string[];
  readonly timeoutMs: number | undefined;
  readonly retries: number;
  readonly skipIfOutputExists: boolean;
}

export interface Plan {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Something that is wrong with a plan, where it stands. */
export interface PlanProblem {
  /** With an error there is no plan to run; a warning is looked at again before something is bought. */
  readonly severity: 'error' | 'warning';
  readonly problem: Message;
  readonly place: Place;
  readonly step: string | undefined;
}

export interface PlanReading {
  /** Undefined when the file has errors. */
  readonly plan: Plan | undefined;
  /** Where each step begins, as far as the file can be read: for lenses. */
  readonly places: readonly { readonly name: string; readonly place: Place }[];
  readonly problems: readonly PlanProblem[];
}
