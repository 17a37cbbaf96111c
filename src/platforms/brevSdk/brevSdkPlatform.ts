import type { Placement } from '../../brev/create.ts';
import type { Clock } from '../../process/clock.ts';
import { quote } from '../../remote/quote.ts';
import type { RemoteScript, RemoteShell } from '../../remote/shell.ts';
import type { JobWork } from '../../tao/runSpec.ts';
import { taoCommand } from '../../tao/taoCommand.ts';
import { inEnglish, message } from '../../values/message.ts';
import { cancelled, failed, type Outcome, ok, then } from '../../values/outcome.ts';
import { followFrames } from '../brev/followFrames.ts';
import { listResults } from '../brev/results.ts';
import { copyFunction, inputLines } from '../copyLines.ts';
import { disconnectedBy } from '../disconnected.ts';
import type { FollowEnd, FollowSink, JobEnd, JobTarget, Offsets, Platform } from '../platform.ts';
import type { JobResults } from '../results.ts';
import { createdJob, jobState } from './bridgeAnswers.ts';
import cancelScript from './cancelSdk.sh';
import followScript from './followSdk.sh';
import forgetScript from './forgetSdk.sh';
import { jobVariables } from './jobVariables.ts';
import markScript from './markSdk.sh';
import prepareScript from './prepareSdk.sh';
import type { SdkBridge } from './sdkBridge.ts';

/** The first command on a fresh instance may take that long (features.md row 14). */
const FIRST_EXEC_TIMEOUT_MS = 600_000;
const SCRIPT_TIMEOUT_MS = 60_000;
const CANCEL_TIMEOUT_MS = 120_000;

export interface BrevSdkPlatformOptions {
  readonly clock: Clock;
  /** A shell on an instance that is running, or why there is none. */
  readonly shell: (target: JobTarget) => Promise<Outcome<RemoteShell>>;
  /** The SDK, or why it can't be had: no interpreter, not installed, no CLI. */
  readonly bridge: () => Promise<Outcome<Pick<SdkBridge, 'request'>>>;
  /** Where the account's instances are placed, for the SDK's backend_details. */
  readonly placement: () => Promise<Placement | undefined>;
  readonly log: (line: string) => void;
}

/** Jobs in containers on Brev instances, through the TAO SDK, which keeps its own handle and state of each. */
export class BrevSdkPlatform implements Platform {
  readonly id = 'brev-sdk';
  readonly #options: BrevSdkPlatformOptions;

  constructor(options: BrevSdkPlatformOptions) {
    this.#options = options;
  }

  async submit(job: Parameters<Platform['submit']>[0]): ReturnType<Platform['submit']> {
    const { target, work, secrets, onStep, signal } = job;
    const run = work.kind === 'spec' ? work.spec : work.container;
    if (run === undefined) {
      return failed({
        kind: 'unsupportedFlag',
        message: message('The TAO SDK runs containers only. Run a plain command on the Brev route.'),
        retrySafe: true,
      });
    }
    onStep('checking');
    const [bridge, shell] = await Promise.all([this.#options.bridge(), this.#options.shell(target)]);
    if (bridge.kind !== 'ok') {
      return bridge;
    }
    if (shell.kind !== 'ok') {
      return shell;
    }
    onStep('uploading');
    const { open, input } = jobVariables(secrets);
    const prepared = await shell.value.run(
      { text: prepareScript, args: [target.jobId, run.image] },
      {
        timeoutMs: FIRST_EXEC_TIMEOUT_MS,
        signal,
        ...(input === undefined ? {} : { input, inputName: target.jobId }),
      },
    );
    if (prepared.kind !== 'ok') {
      return prepared;
    }
    if (prepared.value.exitCode !== 0) {
      return failed(notPrepared(prepared.value.stdout));
    }
    const placement = await this.#options.placement();
    onStep('launching');
    const registered = Promise.withResolvers<void>();
    const launched = await this.#untilAborted(
      target,
      signal,
      registered.promise,
      bridge.value.request(
        'create_job',
        {
          name: target.jobId,
          image: run.image,
          ...programOf(work),
          gpus: String(run.gpus),
          instance: target.instanceName,
          folder: `.brev-jobs/${target.jobId}`,
          environment: open,
          ...(placement === undefined
            ? {}
            : { cloud_cred_id: placement.cloudCredId, workspace_group_id: placement.workspaceGroupId }),
        },
        createdJob,
        () => registered.resolve(),
      ),
    );
    if (launched.kind !== 'ok') {
      // its secrets would lie there; a launch that comes late finds its place taken
      void this.#run(shell.value, { text: forgetScript, args: [target.jobId] });
      return launched;
    }
    return ok({ backendRef: `${target.instanceName}/${launched.value.job}` });
  }

  async follow(
    target: JobTarget,
    offsets: Offsets,
    sink: FollowSink,
    signal: AbortSignal,
  ): Promise<FollowEnd> {
    const { clock, shell: find } = this.#options;
    const shell = await find(target);
    if (shell.kind === 'failed') {
      return disconnectedBy(shell.failure);
    }
    if (shell.kind === 'cancelled' || signal.aborted) {
      return { kind: 'cancelled' };
    }
    let end: JobEnd | undefined;
    const job = {
      jobId: target.jobId,
      offsets,
      sink,
      onFinished: (finished: JobEnd): void => {
        end = finished;
      },
    };
    const disconnected = await followFrames(shell.value, followScript, [job], signal, clock);
    if (end !== undefined) {
      await this.#askSdk(target, 'get_job_status');
      return { kind: 'finished', end };
    }
    return signal.aborted ? { kind: 'cancelled' } : disconnected;
  }

  async cancel(target: JobTarget, signal: AbortSignal): Promise<Outcome<void>> {
    const shell = await this.#options.shell(target);
    if (shell.kind !== 'ok') {
      return shell;
    }
    const marked = await shell.value.run(
      { text: markScript, args: [target.jobId] },
      { timeoutMs: SCRIPT_TIMEOUT_MS, signal },
    );
    if (marked.kind !== 'ok') {
      return marked;
    }
    // the SDK first, so that its own state says Canceled; then what it can't stop, such as a pull
    await this.#askSdk(target, 'cancel_job');
    if (signal.aborted) {
      return cancelled;
    }
    const answer = await shell.value.run(
      { text: cancelScript, args: [target.jobId] },
      { timeoutMs: CANCEL_TIMEOUT_MS, signal },
    );
    if (answer.kind !== 'ok') {
      return answer;
    }
    if (answer.value.exitCode !== 0) {
      return failed({
        kind: 'remoteFailed',
        message: message(
          'The container of {0} could not be stopped. It may still be running, and billing.',
          target.jobId,
        ),
        action: 'showLog',
        retrySafe: true,
        detail: answer.value.stdout,
      });
    }
    await this.#askSdk(target, 'confirm_canceled');
    return ok(undefined);
  }

  async results(target: JobTarget, signal: AbortSignal): Promise<Outcome<JobResults>> {
    const shell = await this.#options.shell(target);
    return shell.kind === 'ok' ? listResults(shell.value, target.jobId, signal) : shell;
  }

  /** Waits for a launch; one that is cancelled is taken back, at whatever point it is. */
  async #untilAborted<T>(
    target: JobTarget,
    signal: AbortSignal,
    registered: Promise<void>,
    launch: Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const aborted = Promise.withResolvers<'aborted'>();
    const stop = (): void => aborted.resolve('aborted');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) {
      stop();
    }
    const first = await Promise.race([launch, aborted.promise]);
    signal.removeEventListener('abort', stop);
    if (first !== 'aborted') {
      return first;
    }
    // only then is there something to cancel
    await Promise.race([registered, launch]);
    await this.#askSdk(target, 'cancel_job');
    return cancelled;
  }

  /** Has the SDK's own state follow: what became of the job is known without it. */
  async #askSdk(
    target: JobTarget,
    method: 'get_job_status' | 'cancel_job' | 'confirm_canceled',
  ): Promise<void> {
    const bridge = await this.#options.bridge();
    const told =
      bridge.kind === 'ok' ? await bridge.value.request(method, { name: target.jobId }, jobState) : bridge;
    this.#note(
      target,
      then(told, ({ status }) => ok(status)),
    );
  }

  #note(target: JobTarget, status: Outcome<string>): void {
    switch (status.kind) {
      case 'ok':
        this.#options.log(`the TAO SDK says of ${target.jobId}: ${status.value}`);
        break;
      case 'failed':
        this.#options.log(
          `the TAO SDK does not know how ${target.jobId} is: ${inEnglish(status.failure.message)} ${status.failure.detail ?? ''}`,
        );
        break;
      case 'cancelled':
        break;
    }
  }

  async #run(shell: RemoteShell, script: RemoteScript): Promise<void> {
    const outcome = await shell.run(script, {
      timeoutMs: SCRIPT_TIMEOUT_MS,
      signal: new AbortController().signal,
    });
    if (outcome.kind === 'failed') {
      this.#options.log(inEnglish(outcome.failure.message));
    }
  }
}

/** What the SDK runs: a spec gets its own wrapping, for a command there is none. */
function programOf(work: JobWork): Readonly<Record<string, string>> {
  switch (work.kind) {
    case 'command': {
      const script = Buffer.from(`${work.command}\n`).toString('base64');
      return { command: `echo ${script} | base64 -d >/tmp/job-command && bash /tmp/job-command` };
    }
    case 'spec': {
      const { inputs = [], specFile } = work.spec;
      return {
        command: shellWords(taoCommand(work.spec, '{config_path}')),
        spec: new TextDecoder().decode(specFile.content),
        ...(inputs.length === 0 ? {} : { before: `${[copyFunction, ...inputLines(inputs)].join('\n')}\n` }),
      };
    }
  }
}

/** The SDK gives it to a shell, with the spec's path in the place of `{config_path}`. */
function shellWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w{}@%+=:,./-]+$/.test(word) ? word : quote(word))).join(' ');
}

function notPrepared(output: string) {
  return {
    kind: /No space left/.test(output) ? 'diskFull' : 'remoteFailed',
    message: message(
      'The job could not be launched on the instance: {0}',
      output.trim().split('\n').at(-1) ?? '',
    ),
    action: 'showLog',
    retrySafe: true,
    detail: output,
  } as const;
}
