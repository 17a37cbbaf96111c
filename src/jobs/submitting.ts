import type { LeptonPlacement } from '../platforms/lepton/placement.ts';
import {
  type JobSecrets,
  launchRefusals,
  type Platform,
  type PlatformId,
  type SubmitStep,
} from '../platforms/platform.ts';
import { type Clock, sleep } from '../process/clock.ts';
import { errorCode } from '../process/errorCode.ts';
import { type Lease, takeLease } from '../process/lease.ts';
import type { JobWork } from '../tao/runSpec.ts';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import { type Following, NEVER_LAUNCHED } from './following.ts';
import { describeWork, isTerminal, type Job, makeJobId, targetOf } from './job.ts';
import type { JobDetails, JobFolders } from './jobFolder.ts';
import type { JobStore } from './jobStore.ts';
import { isJobId, type JobRecord } from './record.ts';
import type { RecordStore } from './recordStore.ts';

/** What is to be submitted, and where. */
export interface Submission {
  /**
   * An id of makeJobId that the caller has kept, so as not to submit the same thing twice: where a job of that id was
   * launched, or refused, or cancelled, the answer is that job, and nothing is launched.
   */
  readonly id?: string;
  readonly platform: PlatformId;
  readonly work: JobWork;
  /** On Lepton: the workspace. */
  readonly instance: { readonly id: string; readonly name: string };
  /** Lepton must be told more than the workspace. It is kept with the job, to run it again. */
  readonly placement?: LeptonPlacement;
  /** The spec file on this computer; empty where there is none. */
  readonly specUri: string;
  readonly secrets: JobSecrets;
  readonly retryOf?: string;
  readonly onStep: (step: SubmitStep) => void;
  readonly signal: AbortSignal;
}

export interface SubmittingOptions {
  readonly store: JobStore;
  readonly records: RecordStore;
  readonly folders: JobFolders;
  readonly following: Following;
  readonly platforms: ReadonlyMap<PlatformId, Platform>;
  readonly clock: Clock;
}

/** Who has an id: a job of before, or this submission, which holds the job's lease. */
type Claim =
  | { readonly kind: 'ours'; readonly lease: Lease }
  | { readonly kind: 'existing'; readonly job: Job };

/** While another one opens the same job: that takes a few writes to the disk. */
const CLAIM_AGAIN_MS = 50;
const CANCELED_LAUNCH = 'canceled while it was being launched';
const CLOSED = NEVER_LAUNCHED.error;

/** Brings jobs to their platforms, each at most once. */
export class Submitting {
  readonly #options: SubmittingOptions;
  readonly #abort = new AbortController();

  constructor(options: SubmittingOptions) {
    this.#options = options;
  }

  /** Submits a job: its record is written before anything is launched. Then it is followed. */
  async submit(submission: Submission): Promise<Outcome<Job>> {
    const id = submission.id ?? makeJobId(submission.work);
    const platform = this.#options.platforms.get(submission.platform);
    if (platform === undefined || !isJobId(id)) {
      return failed({
        kind: 'unexpected',
        message:
          platform === undefined
            ? message('This version of the extension cannot run jobs on {0}.', submission.platform)
            : message('{0} cannot be the id of a job.', id),
        retrySafe: true,
      });
    }
    let claim: Outcome<Claim>;
    try {
      claim = await this.#claim(id, submission.signal);
    } catch (error) {
      return failed(notRecorded(error));
    }
    if (claim.kind !== 'ok') {
      return claim;
    }
    return claim.value.kind === 'existing'
      ? ok(claim.value.job)
      : this.#open(platform, id, submission, claim.value.lease);
  }

  /** A cancelled launch is no longer taken back. */
  dispose(): void {
    this.#abort.abort();
  }

  /** The lease decides between windows that submit the same id, and the record whether it was submitted before. */
  async #claim(id: string, signal: AbortSignal): Promise<Outcome<Claim>> {
    const { clock, folders, records, store } = this.#options;
    for (;;) {
      const lease = await this.#lease(id);
      const details = await folders.read(id);
      const record = await records.read(id);
      const launching = store.hasMark(id, 'launching');
      if (details === undefined && record !== undefined) {
        await lease?.release();
        await folders.removeEmpty(id);
        return ok({ kind: 'existing', job: store.showForeign(record) });
      }
      const isSubmitted = launching || (record !== undefined && !isOnlyRecorded(record));
      if (details !== undefined && isSubmitted) {
        return ok({ kind: 'existing', job: await this.#existing(details, lease) });
      }
      if (lease !== undefined && !isSubmitted) {
        // nobody was here, or one who was killed before he launched it: another computer may have, under the same id
        await this.#clear(id);
        return ok({ kind: 'ours', lease });
      }
      // somebody is just opening it
      await lease?.release();
      await sleep(clock, CLAIM_AGAIN_MS, signal);
      if (signal.aborted) {
        return cancelled;
      }
    }
  }

  /** The record first: what is without one is begun anew, whatever else is left of it. */
  async #clear(id: string): Promise<void> {
    const { folders, records, store } = this.#options;
    await records.withdraw(id);
    await folders.clear(id);
    store.forget(id);
  }

  async #existing(details: JobDetails, lease: Lease | undefined): Promise<Job> {
    const { following, store } = this.#options;
    const job = await store.load(details);
    if (lease !== undefined && isTerminal(job.state)) {
      await lease.release();
      following.follow(details);
    } else {
      following.follow(details, lease);
    }
    return job;
  }

  async #lease(id: string): Promise<Lease | undefined> {
    const { folders } = this.#options;
    await folders.make(id);
    try {
      return await takeLease(folders.leaseFile(id));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') {
        throw error;
      }
      // a folder that had been left behind was removed just now
      return undefined;
    }
  }

  /** Records and launches a job whose id nobody else has. */
  async #open(platform: Platform, id: string, submission: Submission, lease: Lease): Promise<Outcome<Job>> {
    const { clock, folders, following, records, store } = this.#options;
    const { instance, placement, retryOf, work } = submission;
    const what = describeWork(work);
    const details: JobDetails = {
      id,
      platform: platform.id,
      instanceId: instance.id,
      instanceName: instance.name,
      specUri: submission.specUri,
      network: what.network,
      action: what.action,
      image: what.image || (placement?.image ?? ''),
      gpus: what.gpus,
      ...(placement === undefined ? {} : { placement }),
      ...(work.kind === 'spec' && work.spec.inputs !== undefined ? { inputs: work.spec.inputs } : {}),
      submittedAt: clock.now(),
    };
    // the lease is held until the job is followed: no other window looks for a job that is on its way
    try {
      await folders.create(details, work);
      await records.open({
        id,
        platform: platform.id,
        image: details.image,
        network: what.network,
        action: what.action,
        resultsDir: resultsPlace(id, submission),
        ...(retryOf === undefined ? {} : { retryOf }),
      });
    } catch (error) {
      await lease.release();
      return failed(notRecorded(error));
    }
    const submitted = await this.#launch(platform, details, submission);
    const job = await store.load(details);
    if (isTerminal(job.state)) {
      // whoever submitted it is told by the answer
      store.markIfPossible(id, 'told');
      await lease.release();
    } else {
      // after a launch that broke off only the platform knows whether it got through
      following.follow(details, lease);
    }
    return submitted.kind === 'ok' ? ok(job) : submitted;
  }

  /** Brings the job onto its platform, and its record to what is known after that. */
  async #launch(
    platform: Platform,
    details: JobDetails,
    { onStep, placement, secrets, signal, work }: Submission,
  ): ReturnType<Platform['submit']> {
    const { store } = this.#options;
    const { id } = details;
    let launching = false;
    let submitted: Awaited<ReturnType<Platform['submit']>>;
    try {
      submitted = await platform.submit({
        target: targetOf(details),
        work,
        secrets,
        ...(placement === undefined ? {} : { placement }),
        onStep: (step) => {
          if (step === 'launching') {
            store.mark(id, 'launching');
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
        store.markIfPossible(id, 'launching');
        await store.record(id, {
          state: 'PENDING',
          message: 'launched',
          backendRef: submitted.value.backendRef,
        });
        break;
      case 'cancelled':
        if (signal.aborted) {
          await this.#cancelledLaunch(platform, details, launching);
        } else {
          // nobody has cancelled it: this window is closing
          await store.record(
            id,
            launching
              ? { state: 'UNKNOWN', message: `launch: ${CLOSED}` }
              : { state: 'ERROR', message: `not launched: ${CLOSED}`, errorClass: 'ERR_INFRA' },
          );
        }
        break;
      case 'failed': {
        const { kind } = submitted.failure;
        await store.record(
          id,
          launching && !launchRefusals[platform.id].has(kind)
            ? { state: 'UNKNOWN', message: `launch: ${kind}` }
            : { state: 'ERROR', message: `not launched: ${kind}`, errorClass: 'ERR_INFRA' },
        );
        break;
      }
    }
    return submitted;
  }

  /** A launch that was cancelled on its way may have got through: then the job is cancelled on its platform too. */
  async #cancelledLaunch(platform: Platform, details: JobDetails, launching: boolean): Promise<void> {
    const { store } = this.#options;
    const stopped = launching ? await platform.cancel(targetOf(details), this.#abort.signal) : ok(undefined);
    if (stopped.kind !== 'ok') {
      store.markIfPossible(details.id, 'cancel');
    }
    await store.record(
      details.id,
      stopped.kind === 'ok'
        ? { state: 'CANCELED', message: launching ? CANCELED_LAUNCH : 'canceled before it ran' }
        : { state: 'UNKNOWN', message: CANCELED_LAUNCH },
    );
  }
}

/** Whether nothing of a job was launched from here, nor was refused or cancelled: its window was closed before. */
function isOnlyRecorded({ terminal_state, transitions }: JobRecord): boolean {
  return terminal_state === null || transitions.at(-1)?.message === `not launched: ${CLOSED}`;
}

/** Where a job's results will be; on Lepton nothing but what it sends to S3 outlives its container. */
function resultsPlace(id: string, { instance, placement, platform }: Submission): string {
  return platform === 'lepton'
    ? (placement?.outputs?.[0]?.uri ?? '')
    : `${instance.name}:~/.brev-jobs/${id}/results`;
}

function notRecorded(error: unknown): Failure {
  return {
    kind: 'localFile',
    message: message('The record of the job could not be written, so it was not started: {0}', String(error)),
    action: 'showLog',
    retrySafe: true,
  };
}
