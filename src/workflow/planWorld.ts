import { randomBytes } from 'node:crypto';
import type { Brev } from '../brev/brev.ts';
import type { CreateType, Placement } from '../brev/create.ts';
import { deleteInstance } from '../brev/lifecycle.ts';
import { createInstance } from '../instances/creation.ts';
import type { Instance } from '../instances/instance.ts';
import type { Offers } from '../instances/offers.ts';
import { type ReadinessSettings, waitUntilReady } from '../instances/readiness.ts';
import type { InstanceStore } from '../instances/store.ts';
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
import { fittingTypes } from './fittingTypes.ts';
import type { Step } from './plan.ts';
import { inS3, noKeys, pathOf, placeOfFailed } from './s3Places.ts';
import { checkStep } from './stepChecks.ts';
import { lost, stepEndOf, wasNeverLaunched } from './stepEnd.ts';
import { leptonSecrets, placementOf, workOf } from './stepJob.ts';
import type { StepCheck, StepEnd, StepJob, StepPrice, World } from './world.ts';

export interface PlanWorldOptions {
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, 'submit' | 'find' | 'cancel' | 'results' | 'onChange' | 'platform'>;
  readonly brev: Pick<Brev, 'execute' | 'dialect'>;
  readonly store: InstanceStore;
  readonly offers: Pick<Offers, 'load' | 'known'>;
  readonly readiness: () => ReadinessSettings;
  readonly placement: () => Promise<Placement | undefined>;
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
/** How long the list may still have a machine whose deletion was accepted. */
const GONE_WITHIN_MS = 10 * 60_000;
/** Variables that are no secrets: on Lepton their values go with the job, those of all others stay in the workspace. */
const OPEN_VARIABLES = new Set(['AWS_ENDPOINT_URL', 'AWS_DEFAULT_REGION', 'S3_BUCKET_NAME']);

/** The executor's world as it is: jobs by Jobs, machines by the CLI, outputs in S3. */
export class PlanWorld implements World {
  readonly clock: Clock;
  readonly #options: PlanWorldOptions;

  constructor(options: PlanWorldOptions) {
    this.#options = options;
    this.clock = options.clock;
  }

  newJobId({ action, name }: Step): string {
    return newJobId({ network: name, action }, randomBytes(3).toString('hex'));
  }

  async chooseMachine(step: Step, planName: string): Promise<Outcome<{ name: string; types: string[] }>> {
    const types = await this.#types(step);
    const clean = `${planName}-${step.name}`.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 45);
    return types.kind === 'ok'
      ? ok({ name: `flow-${clean}-${randomBytes(2).toString('hex')}`.toLowerCase(), types: [...types.value] })
      : types;
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

  async createMachine(
    { name, types }: { name: string; types: readonly string[] },
    signal: AbortSignal,
  ): Promise<Outcome<void>> {
    const { brev, clock, offers, placement, readiness, store } = this.#options;
    const existing = await this.#named(name);
    if (existing.kind !== 'ok') {
      return existing;
    }
    let instance = existing.value;
    if (instance === undefined) {
      await offers.load();
      const [first, ...others] = types.map((type): CreateType => ({ type, gpu: offers.known(type)?.gpu }));
      if (first === undefined) {
        return failed(noType());
      }
      const request = { name, types: [first, ...others] } as const;
      const creation = await createInstance(brev, store, request, await placement(), signal, clock);
      switch (creation.kind) {
        case 'created':
          instance = creation.instance;
          break;
        case 'createdAnyway':
          if (creation.because === 'cancelled') {
            return cancelled;
          }
          instance = creation.instance;
          break;
        case 'notCreated':
          return creation.because === 'cancelled' ? cancelled : failed(creation.because);
        case 'unknown':
          return failed(creation.because);
      }
    }
    const ready = await waitUntilReady(
      { brev, store, clock, settings: readiness },
      instance.id,
      () => undefined,
      signal,
    );
    switch (ready.kind) {
      case 'ready':
        return ok(undefined);
      case 'notReady':
        return failed(ready.because);
      case 'cancelled':
        return cancelled;
    }
  }

  async deleteMachine(name: string, signal: AbortSignal): Promise<Outcome<void>> {
    const { brev, clock, store } = this.#options;
    const existing = await this.#named(name);
    if (existing.kind !== 'ok' || existing.value === undefined) {
      return existing.kind === 'ok' ? ok(undefined) : existing;
    }
    if (existing.value.status !== 'deleting') {
      const command = deleteInstance(existing.value.id);
      const accepted = command.kind === 'ok' ? await brev.execute(command.value, signal) : command;
      if (
        accepted.kind !== 'ok' &&
        !(accepted.kind === 'failed' && accepted.failure.kind === 'instanceNotFound')
      ) {
        return accepted;
      }
    }
    const late = new AbortController();
    const stopClock = clock.after(GONE_WITHIN_MS, () => late.abort());
    const gone = await store.whenNameIsFree(name, AbortSignal.any([signal, late.signal]));
    stopClock();
    return gone
      ? ok(undefined)
      : signal.aborted
        ? cancelled
        : failed({
            kind: 'notStoppable',
            message: message(
              '{0} was to be deleted, but Brev still lists it. It may still be billing.',
              name,
            ),
            action: 'openConsole',
            retrySafe: true,
          });
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

  check(step: Step, signal: AbortSignal): Promise<readonly StepCheck[]> {
    return checkStep(
      step,
      {
        ...this.#options,
        instance: (name) => this.#existing(name),
        types: (each) => this.#types(each),
        spec: (each) => this.#spec(each),
      },
      signal,
    );
  }

  async price(step: Step): Promise<StepPrice> {
    const { offers } = this.#options;
    if (step.platform === 'lepton') {
      return { pricePerHour: undefined, what: step.shape ?? '' };
    }
    const loaded = await offers.load();
    const types = await this.#typesOf(step);
    if (loaded.kind !== 'ok' || types.length === 0) {
      return { pricePerHour: undefined, what: types[0] ?? '' };
    }
    // of several types that may be tried the dearest one counts
    const prices = types.map((type) => offers.known(type)?.pricePerHour);
    const known = prices.filter((price) => price !== undefined);
    return {
      pricePerHour: known.length === prices.length ? Math.max(...known) : undefined,
      what: types.join(', '),
    };
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

  async #typesOf(step: Step): Promise<readonly string[]> {
    if (step.instance?.kind === 'existing') {
      const found = await this.#existing(step.instance.instance);
      return found.kind === 'ok' ? [found.value.type] : [];
    }
    const types = await this.#types(step);
    return types.kind === 'ok' ? types.value : [];
  }

  async #types(step: Step): Promise<Outcome<readonly string[]>> {
    if (step.instance?.kind === 'new' && step.instance.types.length > 0) {
      return ok(step.instance.types);
    }
    const loaded = await this.#options.offers.load();
    if (loaded.kind !== 'ok') {
      return loaded;
    }
    const types = fittingTypes(loaded.value, step);
    return types.length === 0 ? failed(noType()) : ok(types);
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
    const found = await this.#existing(instance ?? '');
    return found.kind === 'ok' ? ok({ id: found.value.id, name: found.value.name }) : found;
  }

  /** By name or id, in a fresh list. */
  async #existing(nameOrId: string): Promise<Outcome<Instance>> {
    const listed = await this.#options.store.refresh();
    if (listed.kind !== 'ok') {
      return listed;
    }
    const instance =
      listed.value.find(({ id }) => id === nameOrId) ?? listed.value.find(({ name }) => name === nameOrId);
    return instance === undefined
      ? failed({
          kind: 'instanceNotFound',
          message: message('There is no instance {0} (any more).', nameOrId),
          action: 'refresh',
          retrySafe: true,
        })
      : ok(instance);
  }

  async #named(name: string): Promise<Outcome<Instance | undefined>> {
    const found = await this.#existing(name);
    return found.kind === 'failed' && found.failure.kind === 'instanceNotFound' ? ok(undefined) : found;
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

function noType(): Failure {
  return {
    kind: 'unknownType',
    message: message('No type of instance that Brev offers now is large enough for the step.'),
    action: 'pickOffer',
    retrySafe: true,
  };
}

function notSetUp(sentence: Message): Failure {
  return { kind: 'signedOut', message: sentence, retrySafe: true };
}
