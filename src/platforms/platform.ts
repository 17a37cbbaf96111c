import type { JobWork } from '../tao/runSpec.ts';
import type { FailureKind } from '../values/failure.ts';
import type { Outcome } from '../values/outcome.ts';
import type { LeptonPlacement } from './lepton/placement.ts';
import type { JobResults } from './results.ts';

/** The platforms by the names that they have in records and plans. */
export const platformIds = ['brev', 'brev-sdk', 'lepton'] as const;
export type PlatformId = (typeof platformIds)[number];

export function isPlatformId(name: string): name is PlatformId {
  return platformIds.some((id) => id === name);
}

/** Failures during a launch by which the platform itself says that nothing was started. */
export const launchRefusals: Readonly<Record<PlatformId, ReadonlySet<FailureKind>>> = {
  brev: new Set(['remoteFailed', 'diskFull']),
  // what else the SDK says may come from after its launch
  'brev-sdk': new Set(['specUnreadable']),
  // answers of 400 to 499; a creation that is in doubt is createOutcomeUnknown
  lepton: new Set(['tokenStale', 'forbidden', 'jobLost', 'unexpected']),
};

/**
 * Where a submitted job lives on its platform; enough to find it again after a reload. A platform without instances has
 * its account there: on Lepton that is the workspace.
 */
export interface JobTarget {
  readonly jobId: string;
  readonly instanceId: string;
  readonly instanceName: string;
}

/** What a job needs and nobody may see: never on a command line, in a record or in a log. */
export interface JobSecrets {
  /** Environment variables of the program. */
  readonly environment: ReadonlyMap<string, string>;
  /** The NGC key, for pulling from nvcr.io. */
  readonly ngcKey: string | undefined;
}

/** One step on the way to a running job, for progress. */
export type SubmitStep = 'checking' | 'uploading' | 'launching';

/** How a job ended, as the platform tells it. */
export interface JobEnd {
  /** The program's exit code; undefined when nobody saw it. */
  readonly exitCode: number | undefined;
  /** The step in which it ended: only `run` is the program's own doing; after `launch` nothing was ever started. */
  readonly step:
    | 'launch'
    | 'docker'
    | 'login'
    | 'pull'
    | 'create'
    | 'run'
    | 'cancel'
    | 'interrupted'
    | 'lost';
  readonly outOfMemory: boolean;
  /** Docker's own words, when it has any. */
  readonly error: string;
}

/** What a job writes: its raw output, and TAO's own status.json. */
export type JobStream = 'log' | 'status';

/** Up to where each stream is known, in bytes. */
export type Offsets = Readonly<Record<JobStream, number>>;

/** Receives a job's output. Positions are byte offsets in the remote file. */
export interface FollowSink {
  onBytes(stream: JobStream, offset: number, bytes: Uint8Array): void;
  /** A remote file became shorter than what is known of it; its rest can't be matched any more. */
  onTruncated(stream: JobStream, size: number): void;
  /** A sign of life with the step that the job is in. */
  onStep(step: string): void;
}

export type FollowEnd =
  | { readonly kind: 'finished'; readonly end: JobEnd }
  /** The connection ended, not the job. */
  | {
      readonly kind: 'disconnected';
      readonly reason: string;
      /** Whether that is because the machine is not there any more, as far as a fresh list tells. */
      readonly gone?: boolean;
      /** Whether that is for want of a right, which asking again does not give. */
      readonly refused?: boolean;
    }
  | { readonly kind: 'cancelled' };

/** Where jobs run: submit, follow, cancel, results, once for each platform. */
export interface Platform {
  readonly id: PlatformId;
  submit(job: {
    readonly target: JobTarget;
    readonly work: JobWork;
    readonly secrets: JobSecrets;
    /** Only for a platform that must be told more than the target: Lepton. */
    readonly placement?: LeptonPlacement;
    readonly onStep: (step: SubmitStep) => void;
    readonly signal: AbortSignal;
  }): Promise<Outcome<{ readonly backendRef: string }>>;
  /** One connection's worth of output from the offsets on. */
  follow(target: JobTarget, offsets: Offsets, sink: FollowSink, signal: AbortSignal): Promise<FollowEnd>;
  /** Takes over a container that somebody else runs, so that it can be followed; only where that can be. */
  adopt?(target: JobTarget, container: string, signal: AbortSignal): Promise<Outcome<void>>;
  /** Stops the job and verifies that nothing of it runs. */
  cancel(target: JobTarget, signal: AbortSignal): Promise<Outcome<void>>;
  /** What the job left behind until now: listed afresh, nothing is transferred. */
  results(target: JobTarget, signal: AbortSignal): Promise<Outcome<JobResults>>;
}
