import { notAdoptable } from '../platforms/notAdoptable.ts';
import { isPlatformId, type Platform, type PlatformId } from '../platforms/platform.ts';
import type { JobResults } from '../platforms/results.ts';
import type { Clock } from '../process/clock.ts';
import type { JobWork } from '../tao/runSpec.ts';
import type { Listen } from '../values/emitter.ts';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { Following } from './following.ts';
import { containerOf, foreignDetails, isTerminal, type Job, type JobEnded, targetOf } from './job.ts';
import type { JobDetails, JobFolders } from './jobFolder.ts';
import { JobStore } from './jobStore.ts';
import type { RecordStore } from './recordStore.ts';
import { type Submission, Submitting } from './submitting.ts';

export interface JobsOptions {
  readonly platforms: ReadonlyMap<PlatformId, Platform>;
  readonly records: RecordStore;
  readonly folders: JobFolders;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string) => void;
}

/** The one truth about the jobs, on whatever platform: submits, follows, and tells what changed. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #store: JobStore;
  readonly #following: Following;
  #resumed: Promise<void> | undefined;
  readonly #submitting: Submitting;

  readonly onChange: Listen<Job>;
  /** Told in one window only: the one that followed the job. */
  readonly onEnd: Listen<JobEnded>;

  constructor(options: JobsOptions) {
    const { clock, folders, log, platforms, random, records } = options;
    const store = new JobStore({
      records,
      folders,
      isKnownPlatform: (platform) => isPlatformId(platform) && platforms.has(platform),
      log,
    });
    const platformOf = (details: JobDetails) => this.#platformOf(details);
    this.#options = options;
    this.#store = store;
    this.#following = new Following({ store, records, folders, platformOf, clock, random, log });
    this.#submitting = new Submitting({
      store,
      records,
      folders,
      following: this.#following,
      platforms,
      clock,
    });
    this.onChange = store.onChange;
    this.onEnd = store.onEnd;
  }

  /** The newest first. */
  get all(): readonly Job[] {
    return this.#store.all;
  }

  find(id: string): Job | undefined {
    return this.#store.find(id);
  }

  statusFile(id: string): string {
    return this.#options.folders.statusFile(id);
  }

  logFile(id: string): string {
    return this.#options.folders.logFile(id);
  }

  /** Submits a job, and follows it; a job of that id that is there already is the answer as it is. */
  submit(submission: Submission): Promise<Outcome<Job>> {
    return this.#submitting.submit(submission);
  }

  /** A platform itself, for a job that another computer submitted and that is known by its place alone. */
  platform(id: PlatformId): Platform | undefined {
    return this.#options.platforms.get(id);
  }

  /** What a job does, to run it again. */
  work(job: Job): Promise<JobWork | undefined> {
    return this.#options.folders.work(job.details);
  }

  /** Looks for records that others wrote: an agent, a script, a colleague; they are shown, not followed. */
  readForeign(): Promise<void> {
    return this.#store.readForeign();
  }

  /** Finds the jobs of earlier sessions and follows those that haven't ended; does it once. */
  resume(): Promise<void> {
    this.#resumed ??= this.#resume();
    return this.#resumed;
  }

  async #resume(): Promise<void> {
    // all are known before the end of one is told: whether others run beside it decides what is offered then
    for (const { details, state } of await this.#store.loadAll(await this.#options.folders.list())) {
      if (!isTerminal(state) || !this.#store.hasMark(details.id, 'told')) {
        this.#following.follow(details);
      }
    }
  }

  /** Follows a job again whose state is not known, for instance after its instance was started. */
  followAgain(id: string): void {
    const job = this.#store.find(id);
    if (job !== undefined && !job.foreign && !isTerminal(job.state)) {
      this.#following.follow(job.details);
    }
  }

  /** Follows a job that somebody else submitted to an instance, from its container's first output on. */
  async adopt(
    id: string,
    instance: { readonly id: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<Outcome<Job>> {
    const { folders, records } = this.#options;
    const record = await records.read(id);
    const details =
      record === undefined
        ? undefined
        : { ...foreignDetails(record), instanceId: instance.id, instanceName: instance.name };
    const container = containerOf(record);
    const platform = details === undefined ? undefined : this.#platformOf(details);
    if (details === undefined || container === undefined || platform?.adopt === undefined) {
      return failed(notAdoptable({ jobId: id }));
    }
    const adopted = await platform.adopt(targetOf(details), container, signal);
    if (adopted.kind !== 'ok') {
      return adopted;
    }
    // what it was launched with is on the instance now: a window that is closed here finds it like any other job
    await folders.make(id);
    this.#store.mark(id, 'launching');
    await folders.adopt(details);
    const job = await this.#store.load(details);
    this.#following.follow(details);
    return ok(job);
  }

  /** Cancels a job and verifies it; the end itself arrives by its log. */
  async cancel(id: string, signal: AbortSignal): Promise<Outcome<void>> {
    const job = this.#store.find(id);
    if (job === undefined) {
      return ok(undefined);
    }
    const platform = this.#platformOf(job.details);
    if (platform === undefined || job.foreign) {
      return failed({
        kind: 'jobLost',
        message: message('{0} was not submitted from here, so it cannot be cancelled from here.', id),
        retrySafe: true,
      });
    }
    const outcome = await platform.cancel(targetOf(job.details), signal);
    if (outcome.kind === 'ok') {
      // nobody may be following it any more, such as a job whose state was unknown
      this.followAgain(id);
    }
    return outcome;
  }

  /** What a job of ours left behind until now. */
  async results(id: string, signal: AbortSignal): Promise<Outcome<JobResults>> {
    const job = this.#store.find(id);
    const platform = job === undefined ? undefined : this.#platformOf(job.details);
    return job === undefined || platform === undefined || job.foreign
      ? failed({
          kind: 'jobLost',
          message: message('{0} was not submitted from here, so its results cannot be found.', id),
          retrySafe: true,
        })
      : platform.results(targetOf(job.details), signal);
  }

  /** Stops following; the jobs themselves go on. */
  dispose(): void {
    this.#submitting.dispose();
    this.#following.dispose();
  }

  /** Undefined where this version, or this window, can't reach the platform. */
  #platformOf({ platform }: JobDetails): Platform | undefined {
    return isPlatformId(platform) ? this.#options.platforms.get(platform) : undefined;
  }
}
