import { randomBytes } from 'node:crypto';
import type { JobEnd, JobSecrets, JobTarget, Platform, SubmitStep } from '../platforms/platform.ts';
import type { JobResults } from '../platforms/results.ts';
import { type Clock, sleep } from '../process/clock.ts';
import { type Lease, takeLease } from '../process/lease.ts';
import { type JobWork, newJobId } from '../tao/runSpec.ts';
import { Emitter, type Listen } from '../values/emitter.ts';
import type { ActionId, Failure, FailureKind } from '../values/failure.ts';
import { type Message, message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { followToEnd } from './follow.ts';
import { judge, type Verdict, verdictOf } from './jobEnd.ts';
import { COMMAND, type JobDetails, type JobFolders } from './jobFolder.ts';
import { type JobMark, JobMarks } from './jobMarks.ts';
import { LocalLog } from './localLog.ts';
import { currentMessage, currentState, type JobRecord, type JobState, type TerminalState } from './record.ts';
import type { RecordStore, Transition } from './recordStore.ts';

/** A job as it is shown. */
export interface Job {
  readonly details: JobDetails;
  readonly state: JobState;
  /** The last words of its record, or the step that it is in. */
  readonly note: string;
  /** Set while the log can't be followed although the job may be running. */
  readonly trouble: string | undefined;
  /** Whether somebody else submitted it: only its record is known here. */
  readonly foreign: boolean;
  /** When its record last changed; for an ended job that is its end. Milliseconds since the epoch. */
  readonly changedAt: number;
}

export interface JobEnded {
  readonly job: Job;
  readonly sentence: Message;
  readonly action: ActionId | undefined;
  /** How the platform saw it; undefined when it ended in a window that was closed before it could say so. */
  readonly end: JobEnd | undefined;
}

/** What is to be submitted, and where. */
export interface Submission {
  readonly work: JobWork;
  readonly instance: { readonly id: string; readonly name: string };
  /** The spec file on this computer; empty where there is none. */
  readonly specUri: string;
  readonly secrets: JobSecrets;
  readonly retryOf?: string;
  readonly onStep: (step: SubmitStep) => void;
  readonly signal: AbortSignal;
}

export interface JobsOptions {
  readonly platform: Platform;
  readonly records: RecordStore;
  readonly folders: JobFolders;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string) => void;
}

/** How a plain command stands in a record. */
const PLAIN_COMMAND = { network: COMMAND, action: 'run', image: '', gpus: 'all' } as const;
/** Failures of a launch that the instance itself reported: nothing was started. */
const REFUSED_BY_INSTANCE: ReadonlySet<FailureKind> = new Set(['remoteFailed', 'diskFull']);
/** How often a window that doesn't follow a job looks whether it should, and what the record says. */
const OTHER_WINDOW_MS = 2_000;
/** When it is tried again after trouble on this computer, such as a full disk, or to reach a job that is to be cancelled. */
const TRY_AGAIN_MS = 5_000;
/** So many fresh lists in a row without its instance make the state of a job unknown. */
const GONE_LISTS = 3;

/** The one truth about the jobs: submits, follows, and tells what changed. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #changes = new Emitter<Job>();
  readonly #ends = new Emitter<JobEnded>();
  readonly #jobs = new Map<string, Job>();
  readonly #following = new Map<string, AbortController>();
  readonly #marks: JobMarks;
  readonly #abort = new AbortController();
  /** The last write into each record. */
  readonly #marking = new Map<string, Promise<JobRecord | undefined>>();

  readonly onChange: Listen<Job> = this.#changes.listen;
  /** Told in one window only: the one that followed the job. */
  readonly onEnd: Listen<JobEnded> = this.#ends.listen;

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#marks = new JobMarks(options.folders);
  }

  get all(): readonly Job[] {
    return [...this.#jobs.values()].sort((a, b) => b.details.submittedAt - a.details.submittedAt);
  }

  find(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  statusFile(id: string): string {
    return this.#options.folders.statusFile(id);
  }

  logFile(id: string): string {
    return this.#options.folders.logFile(id);
  }

  /** Submits a job: its record is written before anything is launched. Then it is followed. */
  async submit(submission: Submission): Promise<Outcome<Job>> {
    const { clock, folders, platform, records } = this.#options;
    const { instance, work } = submission;
    const what = work.kind === 'spec' ? work.spec : PLAIN_COMMAND;
    const id = newJobId(what, randomBytes(3).toString('hex'));
    const details: JobDetails = {
      id,
      platform: platform.id,
      instanceId: instance.id,
      instanceName: instance.name,
      specUri: submission.specUri,
      network: what.network,
      action: what.action,
      image: what.image,
      gpus: what.gpus,
      submittedAt: clock.now(),
    };
    let lease: Lease | undefined;
    try {
      await folders.create(details, work);
      // held until the job is followed: no other window looks for a job on the instance that is on its way there
      lease = await takeLease(folders.leaseFile(id));
      await records.open({
        id,
        platform: platform.id,
        image: what.image,
        network: what.network,
        action: what.action,
        resultsDir: `${instance.name}:~/.brev-jobs/${id}/results`,
        ...(submission.retryOf === undefined ? {} : { retryOf: submission.retryOf }),
      });
    } catch (error) {
      await lease?.release();
      return failed(notRecorded(error));
    }
    const submitted = await this.#launch(details, submission);
    const job = await this.#load(details);
    if (isTerminal(job.state)) {
      // whoever submitted it is told by the answer
      this.#note(id, 'told');
      await lease?.release();
    } else {
      // after a launch that broke off only the instance knows whether it got through
      this.#follow(details, lease);
    }
    return submitted.kind === 'ok' ? ok(job) : submitted;
  }

  /** Brings the job onto the instance, and its record to what is known after that. */
  async #launch(
    details: JobDetails,
    { onStep, secrets, signal, work }: Submission,
  ): ReturnType<Platform['submit']> {
    const { id } = details;
    let launching = false;
    let submitted: Awaited<ReturnType<Platform['submit']>>;
    try {
      submitted = await this.#options.platform.submit({
        target: targetOf(details),
        work,
        secrets,
        onStep: (step) => {
          if (step === 'launching') {
            this.#marks.set(id, 'launching');
            launching = true;
          }
          onStep(step);
        },
        signal,
      });
    } catch (error) {
      submitted = failed(notRecorded(error));
    }
    switch (submitted.kind) {
      case 'ok':
        this.#note(id, 'launching');
        await this.#mark(id, {
          state: 'PENDING',
          message: 'launched',
          backendRef: submitted.value.backendRef,
        });
        break;
      case 'cancelled':
        if (signal.aborted) {
          await this.#cancelledLaunch(details, launching);
        } else {
          // nobody has cancelled it: this window is closing
          await this.#mark(
            id,
            launching
              ? { state: 'UNKNOWN', message: `launch: ${CLOSED}` }
              : { state: 'ERROR', message: `not launched: ${CLOSED}`, errorClass: 'ERR_INFRA' },
          );
        }
        break;
      case 'failed':
        await this.#mark(
          id,
          launching && !REFUSED_BY_INSTANCE.has(submitted.failure.kind)
            ? { state: 'UNKNOWN', message: `launch: ${submitted.failure.kind}` }
            : { state: 'ERROR', message: `not launched: ${submitted.failure.kind}`, errorClass: 'ERR_INFRA' },
        );
        break;
    }
    return submitted;
  }

  /** A launch that was cancelled on its way may have got through: then the job is cancelled on the instance too. */
  async #cancelledLaunch(details: JobDetails, launching: boolean): Promise<void> {
    const { platform } = this.#options;
    const stopped = launching ? await platform.cancel(targetOf(details), this.#abort.signal) : ok(undefined);
    if (stopped.kind !== 'ok') {
      this.#note(details.id, 'cancel');
    }
    await this.#mark(
      details.id,
      stopped.kind === 'ok'
        ? { state: 'CANCELED', message: launching ? CANCELED_LAUNCH : 'canceled before it ran' }
        : { state: 'UNKNOWN', message: CANCELED_LAUNCH },
    );
  }

  /** What a job does, to run it again. */
  work(job: Job): Promise<JobWork | undefined> {
    return this.#options.folders.work(job.details);
  }

  /** Looks for records that others wrote: an agent, a script, a colleague; they are shown, not followed. */
  async readForeign(): Promise<void> {
    const ours = new Set((await this.#options.folders.list()).map(({ id }) => id));
    const foreign = (await this.#options.records.list()).filter(({ id }) => !ours.has(id));
    const present = new Set(foreign.map(({ id }) => id));
    for (const record of foreign) {
      this.#set({
        details: foreignDetails(record),
        state: currentState(record),
        note: currentMessage(record),
        trouble: undefined,
        foreign: true,
        changedAt: changedAt(record),
      });
    }
    for (const job of this.#jobs.values()) {
      if (job.foreign && !present.has(job.details.id)) {
        this.#jobs.delete(job.details.id);
        this.#changes.emit(job);
      }
    }
  }

  /** Finds the jobs of earlier sessions and follows those that haven't ended. */
  async resume(): Promise<void> {
    for (const details of await this.#options.folders.list()) {
      const job = await this.#load(details);
      if (!isTerminal(job.state) || !this.#marks.has(details.id, 'told')) {
        this.#follow(details);
      }
    }
  }

  /** Follows a job again whose state is not known, for instance after its instance was started. */
  followAgain(id: string): void {
    const job = this.#jobs.get(id);
    if (job !== undefined && !job.foreign && !isTerminal(job.state)) {
      this.#follow(job.details);
    }
  }

  /** Cancels a job and verifies it; the end itself arrives by its log. */
  async cancel(id: string, signal: AbortSignal): Promise<Outcome<void>> {
    const job = this.#jobs.get(id);
    if (job === undefined) {
      return ok(undefined);
    }
    const outcome = await this.#options.platform.cancel(targetOf(job.details), signal);
    if (outcome.kind === 'ok') {
      // nobody may be following it any more, such as a job whose state was unknown
      this.followAgain(id);
    }
    return outcome;
  }

  /** What a job of ours left behind until now. */
  async results(id: string, signal: AbortSignal): Promise<Outcome<JobResults>> {
    const job = this.#jobs.get(id);
    return job === undefined || job.foreign
      ? failed({
          kind: 'jobLost',
          message: message('{0} was not submitted from here, so its results cannot be found.', id),
          retrySafe: true,
        })
      : this.#options.platform.results(targetOf(job.details), signal);
  }

  /** Stops following; the jobs themselves go on. */
  dispose(): void {
    this.#abort.abort();
    for (const following of this.#following.values()) {
      following.abort();
    }
  }

  #follow(details: JobDetails, lease?: Lease): void {
    if (this.#following.has(details.id) || this.#abort.signal.aborted) {
      void lease?.release();
      return;
    }
    const abort = new AbortController();
    this.#following.set(details.id, abort);
    void this.#followPersistently(details, abort.signal, lease).finally(() =>
      this.#following.delete(details.id),
    );
  }

  /** Trouble on this computer, such as a full disk, passes; a job isn't left alone because of it. */
  async #followPersistently(
    details: JobDetails,
    signal: AbortSignal,
    lease: Lease | undefined,
  ): Promise<void> {
    for (let held = lease; ; held = undefined) {
      try {
        await this.#followInTurn(details, signal, held);
        return;
      } catch (error) {
        this.#options.log(`job ${details.id}: ${String(error)}`);
        this.#show(details.id, { trouble: String(error) });
      }
      await sleep(this.#options.clock, TRY_AGAIN_MS, signal);
    }
  }

  /** Waits for this window's turn, then follows; another window may do it first. */
  async #followInTurn(details: JobDetails, signal: AbortSignal, held: Lease | undefined): Promise<void> {
    const { clock, folders } = this.#options;
    for (let lease = held; !signal.aborted; ) {
      lease ??= await takeLease(folders.leaseFile(details.id));
      if (lease !== undefined) {
        try {
          await this.#followWithLease(details, signal);
        } finally {
          await lease.release();
        }
        return;
      }
      await this.#load(details);
      await sleep(clock, OTHER_WINDOW_MS, signal);
    }
    await held?.release();
  }

  /** The one window that has the lease brings the job to its end, as far as that isn't done. */
  async #followWithLease(details: JobDetails, signal: AbortSignal): Promise<void> {
    const job = await this.#load(details);
    if (isTerminal(job.state)) {
      // whoever wrote that was closed before it could say so
      this.#tell(job, verdictOf(job.state, job.note));
      return;
    }
    const launched = this.#marks.has(details.id, 'launching');
    if (!launched && (await this.#options.records.read(details.id)) === undefined) {
      // its window was killed before there was more of it than this folder
      await this.#options.folders.remove(details.id);
      this.#jobs.delete(details.id);
      this.#changes.emit(job);
      return;
    }
    const end = launched ? await this.#followOut(details, signal) : NEVER_LAUNCHED;
    if (end !== undefined) {
      await this.#end(details, end);
    }
  }

  /** Follows until the job has ended; undefined when the signal came first. */
  async #followOut(details: JobDetails, signal: AbortSignal): Promise<JobEnd | undefined> {
    const { clock, folders, platform, random } = this.#options;
    await this.#cancelIfAsked(details, signal);
    let gone = 0;
    const opened: LocalLog[] = [];
    const openLog = (file: string): LocalLog => {
      const log = new LocalLog(file);
      opened.push(log);
      return log;
    };
    try {
      const logs = {
        log: openLog(folders.logFile(details.id)),
        status: openLog(folders.statusFile(details.id)),
      };
      return await followToEnd({
        platform,
        target: targetOf(details),
        logs,
        clock,
        random,
        signal,
        onProgress: (progress) => {
          switch (progress.kind) {
            case 'bytes':
              this.#show(details.id, { trouble: undefined });
              break;
            case 'step':
              gone = 0;
              this.#show(details.id, { trouble: undefined });
              void this.#markStep(details.id, progress.step);
              break;
            case 'truncated':
              this.#show(details.id, {
                trouble: `the remote ${progress.stream} was cut to ${progress.size} bytes; the copy here keeps what it had`,
              });
              break;
            case 'reconnecting':
              this.#show(details.id, { trouble: progress.reason });
              gone = progress.gone ? gone + 1 : 0;
              if (gone === GONE_LISTS) {
                void this.#lost(details, progress.reason);
              }
              break;
          }
        },
      });
    } finally {
      for (const log of opened) {
        log.close();
      }
      // the next window to follow it must find all steps of this one in the record
      await this.#marking.get(details.id);
    }
  }

  /** A cancel that could not be brought to the instance comes before anything else. */
  async #cancelIfAsked(details: JobDetails, signal: AbortSignal): Promise<void> {
    const { clock, platform } = this.#options;
    while (this.#marks.has(details.id, 'cancel') && !signal.aborted) {
      await sleep(clock, TRY_AGAIN_MS, signal);
      const cancelled = await platform.cancel(targetOf(details), signal);
      if (cancelled.kind === 'ok') {
        this.#marks.remove(details.id, 'cancel');
      }
    }
  }

  async #markStep(id: string, step: string): Promise<void> {
    const why = /^unknown: (.*)$/.exec(step)?.[1];
    const state: JobState = why !== undefined ? 'UNKNOWN' : step === 'run' ? 'RUNNING' : 'PENDING';
    const note = why ?? step;
    const job = this.#jobs.get(id);
    if (job === undefined || (job.state === state && job.note === note)) {
      return;
    }
    this.#show(id, { state, note });
    await this.#mark(id, { state, message: note });
  }

  /** The instance isn't listed any more. It is looked for on: a list may lack what another account or list shows. */
  async #lost(details: JobDetails, reason: string): Promise<void> {
    await this.#mark(details.id, { state: 'UNKNOWN', message: reason });
    const job = await this.#load(details);
    this.#show(details.id, { trouble: reason });
    if (!isTerminal(job.state)) {
      this.#tell(job, judge({ exitCode: undefined, step: 'lost', outOfMemory: false, error: reason }));
    }
  }

  /**
   * Writes into a job's record, in the order of the calls: of two steps that come close together the later one must be
   * the last. A record that can't be written must not cost the job.
   */
  #mark(id: string, transition: Transition): Promise<JobRecord | undefined> {
    const marking = (this.#marking.get(id) ?? Promise.resolve(undefined))
      .then(() => this.#write(id, transition))
      .catch((error: unknown) => {
        this.#options.log(`job ${id}: its record could not be written: ${String(error)}`);
        return undefined;
      });
    this.#marking.set(id, marking);
    return marking;
  }

  async #write(id: string, transition: Transition): Promise<JobRecord | undefined> {
    const record = await this.#options.records.mark(id, transition);
    if (record === undefined) {
      this.#options.log(`job ${id}: there is no record to write ${transition.state} into`);
    }
    return record;
  }

  async #end(details: JobDetails, end: JobEnd): Promise<void> {
    const verdict = judge(end);
    // all that was written before; then what throws is tried again
    await this.#marking.get(details.id);
    await this.#write(details.id, verdict.transition);
    this.#tell(await this.#load(details), verdict, end);
  }

  /** A mark that can be done without, if need be. */
  #note(id: string, mark: JobMark): void {
    try {
      this.#marks.set(id, mark);
    } catch (error) {
      this.#options.log(`job ${id}: ${String(error)}`);
    }
  }

  /** Told once, of all windows and however often one of them is closed in between; that nobody knows is told apart. */
  #tell(job: Job, { action, sentence }: Pick<Verdict, 'action' | 'sentence'>, end?: JobEnd): void {
    if (this.#marks.set(job.details.id, isTerminal(job.state) ? 'told' : 'told-unknown')) {
      this.#ends.emit({ job, sentence, action, end });
    }
  }

  async #load(details: JobDetails): Promise<Job> {
    const record = await this.#options.records.read(details.id);
    const job: Job = {
      details,
      state: record === undefined ? 'UNKNOWN' : currentState(record),
      note: record === undefined ? 'its record is missing or unreadable' : currentMessage(record),
      trouble: undefined,
      foreign: false,
      changedAt: record === undefined ? details.submittedAt : changedAt(record),
    };
    this.#set(job);
    return job;
  }

  #show(id: string, change: Partial<Job>): void {
    const job = this.#jobs.get(id);
    if (job !== undefined) {
      this.#set({ ...job, ...change });
    }
  }

  #set(job: Job): void {
    const before = this.#jobs.get(job.details.id);
    this.#jobs.set(job.details.id, job);
    if (before?.state !== job.state || before.note !== job.note || before.trouble !== job.trouble) {
      this.#changes.emit(job);
    }
  }
}

function changedAt(record: JobRecord): number {
  const at = Date.parse(record.transitions.at(-1)?.ts ?? record.submitted_at);
  return Number.isNaN(at) ? 0 : at;
}

export function isTerminal(state: JobState): state is TerminalState {
  return state === 'COMPLETE' || state === 'ERROR' || state === 'CANCELED';
}

const CANCELED_LAUNCH = 'canceled while it was being launched';
const CLOSED = 'its window was closed';
const NEVER_LAUNCHED: JobEnd = {
  exitCode: undefined,
  step: 'launch',
  outOfMemory: false,
  error: CLOSED,
};

function notRecorded(error: unknown): Failure {
  return {
    kind: 'localFile',
    message: message('The record of the job could not be written, so it was not started: {0}', String(error)),
    action: 'showLog',
    retrySafe: true,
  };
}

function targetOf(details: JobDetails): JobTarget {
  return { jobId: details.id, instanceId: details.instanceId, instanceName: details.instanceName };
}

/** What a foreign record tells; `<instance>/<container>` is the convention for Brev (tao.md part 2). */
function foreignDetails(record: JobRecord): JobDetails {
  const [instanceName = ''] = (record.backend_ref ?? '').split('/');
  const submittedAt = Date.parse(record.submitted_at);
  return {
    id: record.id,
    platform: record.platform,
    instanceId: '',
    instanceName,
    specUri: '',
    network: record.network_arch,
    action: record.action,
    image: record.image,
    gpus: 'all',
    submittedAt: Number.isNaN(submittedAt) ? 0 : submittedAt,
  };
}
