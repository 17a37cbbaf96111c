import type { JobEnd } from '../platforms/platform.ts';
import { Emitter, type Listen } from '../values/emitter.ts';
import { changedAt, foreignDetails, isTerminal, type Job, type JobEnded } from './job.ts';
import { judge, type Verdict } from './jobEnd.ts';
import type { JobDetails, JobFolders } from './jobFolder.ts';
import { type JobMark, JobMarks } from './jobMarks.ts';
import { currentMessage, currentState, type JobRecord } from './record.ts';
import type { RecordStore, Transition } from './recordStore.ts';

export interface JobStoreOptions {
  readonly records: RecordStore;
  readonly folders: JobFolders;
  /** Whether jobs of this platform can be followed here. */
  readonly isKnownPlatform: (platform: string) => boolean;
  readonly log: (line: string) => void;
}

/** What is known of the jobs: their records and folders, what is shown of them, and who is told. */
export class JobStore {
  readonly #options: JobStoreOptions;
  readonly #changes = new Emitter<Job>();
  readonly #ends = new Emitter<JobEnded>();
  readonly #jobs = new Map<string, Job>();
  readonly #marks: JobMarks;
  /** The last write into each record. */
  readonly #writes = new Map<string, Promise<JobRecord | undefined>>();

  readonly onChange: Listen<Job> = this.#changes.listen;
  /** Told in one window only: the one that followed the job. */
  readonly onEnd: Listen<JobEnded> = this.#ends.listen;

  constructor(options: JobStoreOptions) {
    this.#options = options;
    this.#marks = new JobMarks(options.folders);
  }

  /** The newest first. */
  get all(): readonly Job[] {
    return [...this.#jobs.values()].sort((a, b) => b.details.submittedAt - a.details.submittedAt);
  }

  find(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  /** Shows a job of ours as its record says. */
  async load(details: JobDetails): Promise<Job> {
    const job = await this.#read(details);
    this.#set(job);
    return job;
  }

  /** Shows all jobs of ours in one moment: whoever sees one of them sees the others of its instance too. */
  async loadAll(all: readonly JobDetails[]): Promise<readonly Job[]> {
    const jobs = await Promise.all(all.map((details) => this.#read(details)));
    const added = jobs.filter(({ details }) => !this.#jobs.has(details.id));
    for (const job of added) {
      this.#jobs.set(job.details.id, job);
    }
    for (const job of added) {
      this.#changes.emit(job);
    }
    return jobs;
  }

  /** Shows a record that others wrote: an agent, a script, a colleague. */
  showForeign(record: JobRecord): Job {
    const job: Job = {
      details: foreignDetails(record),
      state: currentState(record),
      note: currentMessage(record),
      trouble: undefined,
      foreign: true,
      changedAt: changedAt(record),
    };
    this.#set(job);
    return job;
  }

  /** Looks for records that others wrote; they are shown, not followed. */
  async readForeign(): Promise<void> {
    const ours = new Set((await this.#options.folders.list()).map(({ id }) => id));
    const foreign = (await this.#options.records.list()).filter(({ id }) => !ours.has(id));
    const present = new Set(foreign.map(({ id }) => id));
    for (const record of foreign) {
      this.showForeign(record);
    }
    for (const job of this.#jobs.values()) {
      const { id } = job.details;
      if (job.foreign && !present.has(id) && !ours.has(id)) {
        this.forget(id);
      }
    }
  }

  forget(id: string): void {
    const job = this.#jobs.get(id);
    if (job !== undefined) {
      this.#jobs.delete(id);
      this.#changes.emit(job);
    }
  }

  show(id: string, change: Partial<Job>): void {
    const job = this.#jobs.get(id);
    if (job !== undefined) {
      this.#set({ ...job, ...change });
    }
  }

  /**
   * Writes into a job's record, in the order of the calls: of two steps that come close together the later one must be
   * the last. A record that can't be written must not cost the job.
   */
  record(id: string, transition: Transition): Promise<JobRecord | undefined> {
    const writing = (this.#writes.get(id) ?? Promise.resolve(undefined))
      .then(() => this.#write(id, transition))
      .catch((error: unknown) => {
        this.#options.log(`job ${id}: its record could not be written: ${String(error)}`);
        return undefined;
      });
    this.#writes.set(id, writing);
    return writing;
  }

  /** Waits until all that was to be written into a record is. */
  async written(id: string): Promise<void> {
    await this.#writes.get(id);
  }

  /** Writes how a job ended, and tells it. Throws when the record can't be written: then it is tried again. */
  async end(details: JobDetails, end: JobEnd): Promise<Job> {
    const verdict = judge(end);
    await this.written(details.id);
    await this.#write(details.id, verdict.transition);
    const job = await this.load(details);
    this.tell(job, verdict, end);
    return job;
  }

  /** Told once, of all windows and however often one of them is closed in between; that nobody knows is told apart. */
  tell(job: Job, { action, sentence }: Pick<Verdict, 'action' | 'sentence'>, end?: JobEnd): void {
    if (this.#marks.set(job.details.id, isTerminal(job.state) ? 'told' : 'told-unknown')) {
      this.#ends.emit({ job, sentence, action, end });
    }
  }

  hasMark(id: string, mark: JobMark): boolean {
    return this.#marks.has(id, mark);
  }

  /** Throws where it can't be kept. */
  mark(id: string, mark: JobMark): void {
    this.#marks.set(id, mark);
  }

  /** A mark that can be done without, if need be. */
  markIfPossible(id: string, mark: JobMark): void {
    try {
      this.#marks.set(id, mark);
    } catch (error) {
      this.#options.log(`job ${id}: ${String(error)}`);
    }
  }

  unmark(id: string, mark: JobMark): void {
    this.#marks.remove(id, mark);
  }

  async #write(id: string, transition: Transition): Promise<JobRecord | undefined> {
    const record = await this.#options.records.mark(id, transition);
    if (record === undefined) {
      this.#options.log(`job ${id}: there is no record to write ${transition.state} into`);
    }
    return record;
  }

  async #read(details: JobDetails): Promise<Job> {
    const record = await this.#options.records.read(details.id);
    return {
      details,
      state: record === undefined ? 'UNKNOWN' : currentState(record),
      note: record === undefined ? 'its record is missing or unreadable' : currentMessage(record),
      trouble: undefined,
      foreign: !this.#options.isKnownPlatform(details.platform),
      changedAt: record === undefined ? details.submittedAt : changedAt(record),
    };
  }

  #set(job: Job): void {
    const before = this.#jobs.get(job.details.id);
    this.#jobs.set(job.details.id, job);
    if (before?.state !== job.state || before.note !== job.note || before.trouble !== job.trouble) {
      this.#changes.emit(job);
    }
  }
}
