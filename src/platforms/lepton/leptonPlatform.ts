import { type Clock, sleep } from '../../process/clock.ts';
import { message } from '../../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../../values/outcome.ts';
import { disconnectedBy } from '../disconnected.ts';
import type { FollowEnd, FollowSink, JobTarget, Offsets, Platform } from '../platform.ts';
import type { LeptonAccountReading } from './account.ts';
import { LeptonClient, type LeptonJob } from './client.ts';
import { unusableJob } from './failures.ts';
import { Follower, finished } from './follower.ts';
import { jobBody, secretReferences } from './jobBody.ts';
import { lost } from './jobEnding.ts';
import { leptonJobName } from './jobName.ts';
import type { FollowTimings } from './replicaReader.ts';
import { isOver, meaningOf } from './state.ts';
import { awaitOurJobs, createOnce, ourJobs } from './submission.ts';

export interface LeptonTimings extends FollowTimings {
  /** For one call. */
  readonly callMs: number;
  /** How long a stopped job may take until nothing of it runs. */
  readonly stopMs: number;
}

const TIMINGS: LeptonTimings = {
  pollMs: 3_000,
  idleMs: 300_000,
  endMs: 30_000,
  callMs: 30_000,
  stopMs: 120_000,
};

export interface LeptonPlatformOptions {
  readonly clock: Clock;
  /** Asked anew for each operation: the token may have been replaced. */
  readonly account: () => Promise<LeptonAccountReading>;
  /** A file of this job for the positions in its replicas' logs, which must live as long as the local log. */
  readonly cursorFile: (jobId: string) => string;
  readonly fetch?: typeof globalThis.fetch;
  readonly timings?: Partial<LeptonTimings>;
}

/** Jobs on NVIDIA DGX Cloud Lepton, on one node or several. A target's instance is the workspace. */
export class LeptonPlatform implements Platform {
  readonly id = 'lepton';
  readonly #options: LeptonPlatformOptions;
  readonly #timings: LeptonTimings;

  constructor(options: LeptonPlatformOptions) {
    this.#options = options;
    this.#timings = { ...TIMINGS, ...options.timings };
  }

  async submit(job: Parameters<Platform['submit']>[0]): ReturnType<Platform['submit']> {
    const { onStep, placement, secrets, signal, target, work } = job;
    onStep('checking');
    if (placement === undefined) {
      return failed(unusableJob(message('A job on Lepton needs a resource shape, such as gpu.8xh100-80gb.')));
    }
    const body = jobBody(target.jobId, work, secrets, placement);
    if (body.kind !== 'ok') {
      return body;
    }
    const client = await this.#client(target);
    if (client.kind !== 'ok') {
      return client;
    }
    const missing = await missingSecret(client.value, secretReferences(secrets, placement), signal);
    if (missing.kind !== 'ok') {
      return missing;
    }
    const created = await createOnce(
      client.value,
      this.#options.clock,
      target.jobId,
      body.value,
      () => onStep('launching'),
      signal,
    );
    return created.kind === 'ok'
      ? ok({ backendRef: `${client.value.workspaceId}/${created.value.id}` })
      : created;
  }

  async follow(
    target: JobTarget,
    offsets: Offsets,
    sink: FollowSink,
    signal: AbortSignal,
  ): Promise<FollowEnd> {
    const client = await this.#client(target);
    if (client.kind !== 'ok') {
      return client.kind === 'failed' ? disconnectedBy(client.failure) : { kind: 'cancelled' };
    }
    const { clock, cursorFile } = this.#options;
    const name = leptonJobName(target.jobId);
    const found = await awaitOurJobs(client.value, clock, name, target.jobId, signal);
    if (found.kind !== 'ok') {
      return found.kind === 'failed' ? disconnectedBy(found.failure) : { kind: 'cancelled' };
    }
    const [job] = found.value;
    if (job === undefined) {
      return signal.aborted
        ? { kind: 'cancelled' }
        : finished(lost(`there is no job ${name} in the Lepton workspace ${client.value.workspaceId}`));
    }
    return new Follower({
      client: client.value,
      clock,
      jobId: target.jobId,
      job,
      offset: offsets.log,
      cursorFile: cursorFile(target.jobId),
      sink,
      timings: this.#timings,
      signal,
    }).follow();
  }

  async cancel(target: JobTarget, signal: AbortSignal): Promise<Outcome<void>> {
    const client = await this.#client(target);
    if (client.kind !== 'ok') {
      return client;
    }
    // a creation that was cut off a moment ago may still be on its way into the list
    const { clock } = this.#options;
    const name = leptonJobName(target.jobId);
    const found = await awaitOurJobs(client.value, clock, name, target.jobId, signal);
    if (found.kind !== 'ok') {
      return found;
    }
    for (const job of found.value.filter(isAlive)) {
      const stopped = await client.value.stop(job.id, signal);
      // a job that ended or was removed meanwhile can't be stopped; the look below sees it
      if (stopped.kind === 'cancelled' || (stopped.kind === 'failed' && stopped.failure.kind !== 'jobLost')) {
        return stopped;
      }
    }
    return this.#awaitStop(client.value, target, signal);
  }

  /** Results of jobs on Lepton are in S3, where the job itself put them. */
  async results(target: JobTarget): ReturnType<Platform['results']> {
    return failed(
      unusableJob(
        message('{0} ran on Lepton, so its results are in S3, where its outputs say.', target.jobId),
      ),
    );
  }

  /** The service's word for it: stopping takes as long as the program needs to end. */
  async #awaitStop(client: LeptonClient, target: JobTarget, signal: AbortSignal): Promise<Outcome<void>> {
    const { clock } = this.#options;
    const { pollMs, stopMs } = this.#timings;
    const deadline = clock.now() + stopMs;
    for (;;) {
      const jobs = await ourJobs(client, leptonJobName(target.jobId), target.jobId, signal);
      if (jobs.kind !== 'ok') {
        return jobs;
      }
      if (!jobs.value.some(isAlive)) {
        return ok(undefined);
      }
      if (clock.now() >= deadline) {
        return failed({
          kind: 'remoteFailed',
          message: message(
            'Lepton was told to stop {0}, but it has not stopped yet. It may still be running, and billing.',
            target.jobId,
          ),
          action: 'openLeptonPage',
          retrySafe: true,
        });
      }
      await sleep(clock, pollMs, signal);
      if (signal.aborted) {
        return cancelled;
      }
    }
  }

  async #client(target: JobTarget): Promise<Outcome<LeptonClient>> {
    const reading = await this.#options.account();
    switch (reading.kind) {
      case 'absent':
        return failed({
          ...unusableJob(message('Lepton is not set up: there is no LEPTON_WORKSPACE_TOKEN.')),
          action: 'enterLeptonToken',
        });
      case 'unusable':
        return failed({ ...unusableJob(reading.sentence), action: 'enterLeptonToken' });
      case 'ok':
        break;
    }
    const { account } = reading;
    if (account.workspaceId !== target.instanceId) {
      // asking the wrong workspace would say that the job is lost
      return failed(
        unusableJob(
          message(
            '{0} is in the Lepton workspace {1}, but the one that is set up is {2}.',
            target.jobId,
            target.instanceId,
            account.workspaceId,
          ),
        ),
      );
    }
    return ok(
      new LeptonClient({
        account,
        fetch: this.#options.fetch ?? globalThis.fetch,
        timeoutMs: this.#timings.callMs,
      }),
    );
  }
}

function isAlive(job: LeptonJob): boolean {
  return !isOver(meaningOf(job.state));
}

/** A job whose secrets aren't there would wait for ever, or fail after it was paid for. */
async function missingSecret(
  client: LeptonClient,
  wanted: readonly { readonly variable: string; readonly secret: string }[],
  signal: AbortSignal,
): Promise<Outcome<void>> {
  if (wanted.length === 0) {
    return ok(undefined);
  }
  const names = await client.secretNames(signal);
  if (names.kind !== 'ok') {
    return names;
  }
  const missing = wanted.find(({ secret }) => !names.value.includes(secret));
  return missing === undefined
    ? ok(undefined)
    : failed(
        unusableJob(
          message(
            'The Lepton workspace has no secret {0}, which the job gets as {1}. Make it there, or name another one.',
            missing.secret,
            missing.variable,
          ),
        ),
      );
}
