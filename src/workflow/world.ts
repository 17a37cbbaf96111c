import type { Clock } from '../process/clock.ts';
import type { Message } from '../values/message.ts';
import type { Outcome } from '../values/outcome.ts';
import type { Step } from './plan.ts';

/** How a job ended, as far as the plan is concerned. */
export type StepEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'failed'; readonly reason: Message }
  | { readonly kind: 'cancelled' }
  /** Its process was killed before it launched anything: the same can be tried under another id. */
  | { readonly kind: 'neverLaunched' }
  /** Nobody knows; it may even be running. */
  | { readonly kind: 'unknown'; readonly reason: Message };

/** An instance by its name, where the step has one. */
export interface StepJob {
  readonly step: Step;
  readonly jobId: string;
  /** The name or id of its instance; undefined on Lepton. */
  readonly instance: string | undefined;
}

/** One thing that was looked at before a step is run. */
export interface StepCheck {
  readonly step: string;
  readonly state: 'passed' | 'warning' | 'failed';
  readonly sentence: Message;
}

/** What an hour of a step's machine costs, in US dollars; undefined when nobody says. */
export interface StepPrice {
  readonly pricePerHour: number | undefined;
  /** What it is the price of, such as an instance type. */
  readonly what: string;
}

/**
 * What the executor needs of the world. Everything that changes something may be asked for again with the same id or
 * name, after a crash in the middle: it must then do what is missing, and never the same thing twice.
 */
export interface World {
  readonly clock: Clock;
  /** A new id for a job of the step. */
  newJobId(step: Step): string;
  /** A name for a machine of the step, and the types that are to be tried for it. */
  chooseMachine(step: Step, planName: string): Promise<Outcome<{ name: string; types: string[] }>>;
  /** Launches the job once. A failure means that nothing of it runs; with the signal the job is cancelled. */
  submit(
    job: StepJob & { readonly retryOf: string | undefined },
    signal: AbortSignal,
  ): Promise<Outcome<void>>;
  /** Waits for the end of a job that was submitted; cancelled only when the signal says so. */
  untilEnd(job: StepJob, signal: AbortSignal): Promise<Outcome<StepEnd>>;
  /** Stops the job, and says so only when nothing of it runs. */
  cancelJob(job: StepJob, signal: AbortSignal): Promise<Outcome<void>>;
  /** Makes the machine, or finds it, and waits until a job can be launched on it. */
  createMachine(
    machine: { name: string; types: readonly string[] },
    signal: AbortSignal,
  ): Promise<Outcome<void>>;
  /** Ok too when there is none of that name. */
  deleteMachine(name: string, signal: AbortSignal): Promise<Outcome<void>>;
  /** Whether everything that the step writes is there already. */
  outputsExist(step: Step, signal: AbortSignal): Promise<Outcome<boolean>>;
  /**
   * Brings what the job left to where its outputs are to be; of one that didn't succeed to a place of its own beside it.
   * Ok only when all of it was verified there, or nothing was left.
   */
  saveOutputs(job: StepJob & { readonly succeeded: boolean }, signal: AbortSignal): Promise<Outcome<void>>;
  /** What could keep the step from running; buys nothing, starts nothing. */
  check(step: Step, signal: AbortSignal): Promise<readonly StepCheck[]>;
  price(step: Step): Promise<StepPrice>;
}
