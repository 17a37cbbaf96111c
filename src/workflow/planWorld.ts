import { randomBytes } from 'node:crypto';
import { isTerminal, type Job } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { leftBehind } from '../jobs/resultsFinish.ts';
import { uploadResults } from '../jobs/resultsUpload.ts';
import type { LeptonAccountReading } from '../platforms/lepton/account.ts';
import type { JobSecrets, JobTarget } from '../platforms/platform.ts';
import type { JobResults } from '../platforms/results.ts';
import { tellTrouble } from '../preflight/launch/s3Trouble.ts';
import type { Clock } from '../process/clock.ts';
import { checkS3Path, type S3Credentials } from '../storage/s3.ts';
import { newJobId } from '../tao/runSpec.ts';
import type { Failure } from '../values/failure.ts';
import { type Message, message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import type { Step } from './plan.ts';
import { inS3, noKeys, pathOf, placeOfFailed } from './s3Places.ts';
import { checkStep } from './stepChecks.ts';
import { lost, stepEndOf, wasNeverLaunched } from './stepEnd.ts';
import { leptonSecrets, placementOf, workOf } from './stepJob.ts';
import { StepMachines, type StepMachinesOptions } from './stepMachines.ts';
import type { StepCheck, StepEnd, StepJob, StepPrice, World } from './world.ts';

export interface PlanWorldOptions extends StepMachinesOptions {
  readonly jobs: Pick<Jobs, 'submit' | 'find' | 'cancel' | 'results' | 'onChange' | 'platform'>;
  /** A spec file beside the plan: its content, and its URI for the job's record; undefined when there is none. */
  readonly readSpec: (file: string) => Promise<{ content: Uint8Array; uri: string } | undefined>;
  /** What a job gets by itself, such as the S3 keys. */
  readonly secrets: () => Promise<JobSecrets>;
  /** The value of a variable that a step names; undefined when it isn't set. */
  readonly variable: (name: string) => Promise<string | undefined>;
  readonly s3: () => Promise<S3Credentials | undefined>;
  readonly lepton: () => Promise<LeptonAccountReading>;
  /** Why the TAO SDK can't be used; undefined when it can. */
  readonly sdkTrouble: (signal: AbortSignal) => Promise<Message | undefined>;
  readonly fetch?: typeof globalThis.fetch;
}

/** So long nobody may know how a job is before the plan counts it as lost. */
const UNKNOWN_MS = 10 * 60_000;
/** Variables that are no secrets: on Lepton their values go with the job, those of all others stay in the workspace. */
const OPEN_VARIABLES = new Set(['AWS_ENDPOINT_URL', 'AWS_DEFAULT_REGION', 'S3_BUCKET_NAME']);

/** The executor's world as it is: jobs by Jobs, machines by the CLI, outputs in S3. */
export class PlanWorld implements World {
  readonly clock: Clock;
  readonly #options: PlanWorldOptions;
  readonly #machines: StepMachines;

  constructor(options: PlanWorldOptions) {
    this.#options = options;
    this.#machines = new StepMachines(options);
    this.clock = options.clock;
  }

  newJobId({ action, name }: Step): string {
    return newJobId({ network: name, action }, randomBytes(3).toString('hex'));
  }

  chooseMachine(step: Step, planName: string): Promise<Outcome<{ name: string; types: string[] }>> {
    return this.#machines.choose(step, planName);
  }

  createMachine(
    machine: { name: string; types: readonly string[] },
    signal: AbortSignal,
  ): Promise<Outcome<void>> {
    return this.#machines.create(machine, signal);
  }

  deleteMachine(name: string, signal: AbortSignal): Promise<Outcome<void>> {
    return this.#machines.delete(name, signal);
  }

  async submit(
    job: StepJob & { readonly retryOf: string | undefined },
    signal: AbortSignal,
  ): Promise<Outcome<void>> {
    const { jobId, retryOf, step } = job;
    const target = await this.#target(job);
    if (target.kind !== 'ok') {
      return target;
    }
    const spec = await this.#spec(step);
    if (spec.kind !== 'ok') {
      return spec;
    }
    const { environment, secrets } = await this.#variables(step);
    const placement = placementOf(step, jobId, environment);
    const submitted = await this.#options.jobs.submit({
      id: jobId,
      platform: step.platform,
      work: workOf(step, jobId, spec.value?.content),
      instance: target.value,
      ...(placement === undefined ? {} : { placement }),
      specUri: spec.value?.uri ?? '',
      secrets,
      ...(retryOf === undefined ? {} : { retryOf }),
      onStep: () => undefined,
      signal,
    });
    if (submitted.kind !== 'failed') {
      return submitted.kind === 'ok' ? ok(undefined) : submitted;
    }
    // a launch that broke off may have got through: then the job is followed, and its end will tell
    const known = this.#options.jobs.find(jobId);
    return known === undefined || isTerminal(known.state) ? submitted : ok(undefined);
  }

  untilEnd({ jobId }: StepJob, signal: AbortSignal): Promise<Outcome<StepEnd>> {
    const { clock, jobs } = this.#options;
    return new Promise((resolve) => {
      let stopClock: (() => void) | undefined;
      const finish = (outcome: Outcome<StepEnd>): void => {
        unsubscribe();
        stopClock?.();
        signal.removeEventListener('abort', abort);
        resolve(outcome);
      };
      const abort = (): void => finish(cancelled);
      const look = (job: Job | undefined): void => {
        const end = job === undefined ? undefined : stepEndOf(job);
        if (end !== undefined) {
          finish(ok(end));
        } else if (job === undefined || job.state === 'UNKNOWN') {
          stopClock ??= clock.after(UNKNOWN_MS, () => finish(ok(lost(jobs.find(jobId)))));
        } else {
          stopClock?.();
          stopClock = undefined;
        }
      };
      const unsubscribe = jobs.onChange((job) => {
        if (job.details.id === jobId) {
          look(job);
        }
      });
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) {
        abort();
      } else {
        look(jobs.find(jobId));
      }
    });
  }

  async cancelJob(job: StepJob, signal: AbortSignal): Promise<Outcome<void>> {
    const { jobs } = this.#options;
    const known = jobs.find(job.jobId);
    if (known !== undefined && !known.foreign) {
      return isTerminal(known.state) ? ok(undefined) : jobs.cancel(job.jobId, signal);
    }
    // another computer may have launched it
    const target = await this.#target(job);
    const platform = jobs.platform(job.step.platform);
    return target.kind !== 'ok' || platform === undefined
      ? target.kind === 'failed' && target.failure.kind === 'instanceNotFound'
        ? ok(undefined)
        : failed(unreachable(job))
      : platform.cancel(targetOf(job, target.value), signal);
  }

  async outputsExist(step: Step, signal: AbortSignal): Promise<Outcome<boolean>> {
    const credentials = await this.#options.s3();
    if (credentials === undefined) {
      return failed(noKeys());
    }
    for (const { uri } of step.outputs) {
      const path = pathOf(uri);
      const found = await checkS3Path(path, credentials, signal, this.#options.fetch);
      switch (found.kind) {
        case 'object':
        case 'folder':
        case 'archived':
          break;
        case 'missing':
          return ok(false);
        case 'cancelled':
          return cancelled;
        default:
          return failed(inS3(tellTrouble(found, path.bucket, 1).sentence));
      }
    }
    return ok(step.outputs.length > 0);
  }

  async saveOutputs(
    job: StepJob & { readonly succeeded: boolean },
    signal: AbortSignal,
  ): Promise<Outcome<void>> {
    const { jobId, step, succeeded } = job;
    if (step.platform === 'lepton') {
      // the job has sent them itself: it fails where it could not
      return ok(undefined);
    }
    const { fetch, jobs } = this.#options;
    const known = jobs.find(jobId);
    if (!succeeded && known !== undefined && wasNeverLaunched(known)) {
      return ok(undefined);
    }
    const source = {
      jobId,
      list: (aborting: AbortSignal) =>
        known === undefined || known.foreign ? this.#resultsAt(job, aborting) : jobs.results(jobId, aborting),
    };
    const left = await leftBehind([source], signal);
    if (left.kind !== 'ok') {
      return left;
    }
    const files = left.value.files.length;
    const [output] = step.outputs;
    if (output === undefined) {
      // what nobody asked to be saved is only in danger where the machine goes
      return files === 0 || step.instance?.kind === 'existing'
        ? ok(undefined)
        : failed(
            inS3(
              message(
                '{0} left {1} files in its results, and has no outputs to save them to.',
                step.name,
                files,
              ),
            ),
          );
    }
    if (left.value.jobIds.length === 0) {
      return succeeded
        ? failed(inS3(message('{0} left nothing in its results that could be saved.', step.name)))
        : ok(undefined);
    }
    const credentials = await this.#options.s3();
    if (credentials === undefined) {
      return failed(noKeys());
    }
    const saved = await uploadResults({
      ...source,
      destination: pathOf(succeeded ? output.uri : placeOfFailed(output, jobId)),
      isExact: true,
      credentials,
      onProgress: () => undefined,
      signal,
      ...(fetch === undefined ? {} : { fetch }),
    });
    return saved.kind === 'ok' ? ok(undefined) : saved;
  }

  price(step: Step): Promise<StepPrice> {
    return this.#machines.price(step);
  }

  check(step: Step, signal: AbortSignal): Promise<readonly StepCheck[]> {
    return checkStep(
      step,
      {
        ...this.#options,
        instance: (name) => this.#machines.existing(name),
        types: (each) => this.#machines.types(each),
        spec: (each) => this.#spec(each),
      },
      signal,
    );
  }

  /** Of a job that another computer launched: asked at its place, since nothing else is known of it here. */
  async #resultsAt(job: StepJob, signal: AbortSignal): Promise<Outcome<JobResults>> {
    const target = await this.#target(job);
    if (target.kind !== 'ok') {
      return target;
    }
    const platform = this.#options.jobs.platform(job.step.platform);
    return platform === undefined
      ? failed(unreachable(job))
      : platform.results(targetOf(job, target.value), signal);
  }

  async #target({
    instance,
    step,
  }: StepJob): Promise<Outcome<{ readonly id: string; readonly name: string }>> {
    if (step.platform === 'lepton') {
      const reading = await this.#options.lepton();
      switch (reading.kind) {
        case 'ok':
          return ok({ id: reading.account.workspaceId, name: reading.account.workspaceId });
        case 'absent':
          return failed(
            notSetUp(
              message('Lepton is not set up: LEPTON_WORKSPACE_ID and LEPTON_WORKSPACE_TOKEN are not set.'),
            ),
          );
        case 'unusable':
          return failed(notSetUp(reading.sentence));
      }
    }
    const found = await this.#machines.existing(instance ?? '');
    return found.kind === 'ok' ? ok({ id: found.value.id, name: found.value.name }) : found;
  }

  async #spec({ work }: Step): Promise<Outcome<{ content: Uint8Array; uri: string } | undefined>> {
    if (work.kind === 'command') {
      return ok(undefined);
    }
    for (const file of work.specFiles) {
      const read = await this.#options.readSpec(file);
      if (read !== undefined) {
        return ok(read);
      }
    }
    return failed({
      kind: 'specUnreadable',
      message: message('There is no spec file {0} beside the plan.', work.specFiles[0]),
      retrySafe: true,
    });
  }

  /** What the program gets. On Lepton secrets are the workspace's own: only their names are sent. */
  async #variables(
    step: Step,
  ): Promise<{ readonly secrets: JobSecrets; readonly environment: Readonly<Record<string, string>> }> {
    const usual = await this.#options.secrets();
    const all = new Map(usual.environment);
    for (const name of step.env) {
      const value = await this.#options.variable(name);
      if (value !== undefined) {
        all.set(name, value);
      }
    }
    if (step.platform !== 'lepton') {
      if (step.platform === 'brev-sdk') {
        // with a bucket the SDK would send the results to a place of its own
        all.delete('S3_BUCKET_NAME');
      }
      return { secrets: { environment: all, ngcKey: usual.ngcKey }, environment: {} };
    }
    return {
      secrets: { environment: new Map(leptonSecrets(step).map((name) => [name, ''])), ngcKey: undefined },
      environment: Object.fromEntries([...all].filter(([name]) => OPEN_VARIABLES.has(name))),
    };
  }
}

function targetOf(
  { jobId }: StepJob,
  { id, name }: { readonly id: string; readonly name: string },
): JobTarget {
  return { jobId, instanceId: id, instanceName: name };
}

function unreachable({ step }: StepJob): Failure {
  return {
    kind: 'unreachable',
    message: message('The job of {0} cannot be reached from here.', step.name),
    retrySafe: true,
  };
}

function notSetUp(sentence: Message): Failure {
  return { kind: 'signedOut', message: sentence, retrySafe: true };
}
