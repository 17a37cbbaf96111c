import type { Clock } from '../../process/clock.ts';
import type { RemoteShell } from '../../remote/shell.ts';
import type { JobWork, RunSpec } from '../../tao/runSpec.ts';
import { taoCommand } from '../../tao/taoCommand.ts';
import type { Failure } from '../../values/failure.ts';
import { message } from '../../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../../values/outcome.ts';
import type { FollowEnd, FollowSink, JobSecrets, JobTarget, Offsets, Platform } from '../platform.ts';
import type { JobResults } from '../results.ts';
import adoptScript from './adopt.sh';
import cancelScript from './cancel.sh';
import { containerArguments, SPEC_PATH } from './container.ts';
import { InstanceFollow, type InstanceFollowOptions } from './instanceFollow.ts';
import launchScript from './launch.sh';
import { listResults } from './results.ts';
import supervisorScript from './supervisor.sh';

/** The first command on a fresh instance may take that long (features.md row 14). */
const FIRST_EXEC_TIMEOUT_MS = 600_000;
const CANCEL_TIMEOUT_MS = 120_000;

export interface BrevPlatformOptions extends Pick<InstanceFollowOptions, 'onGauge'> {
  readonly clock: Clock;
  /**
   * A shell on the instance, or why there is none. It must have seen that the instance is running: exec would start
   * a stopped one, which costs money.
   */
  readonly shell: (target: JobTarget) => Promise<Outcome<RemoteShell>>;
  /** Settles when it makes sense again to follow jobs, such as after a sign-in, or with the signal. */
  readonly untilUsable?: (signal: AbortSignal) => Promise<void>;
}

/** Jobs in docker containers on Brev instances, through the CLI. */
export class BrevPlatform implements Platform {
  readonly id = 'brev';
  readonly #options: BrevPlatformOptions;
  /** By the id of the instance. */
  readonly #follows = new Map<string, InstanceFollow>();

  constructor(options: BrevPlatformOptions) {
    this.#options = options;
  }

  async submit(job: Parameters<Platform['submit']>[0]): ReturnType<Platform['submit']> {
    const { target, work, secrets, onStep, signal } = job;
    onStep('checking');
    const shell = await this.#options.shell(target);
    if (shell.kind !== 'ok') {
      return shell;
    }
    onStep('uploading');
    const folder = `.brev-jobs/${target.jobId}`;
    const files: readonly [string, Uint8Array][] = [
      ...workFiles(target.jobId, work, secrets),
      ['supervisor.sh', Buffer.from(supervisorScript)],
    ];
    const uploaded = await shell.value.upload(
      files.map(([name, content]) => ({ path: `${folder}/${name}`, content })),
      { timeoutMs: FIRST_EXEC_TIMEOUT_MS, signal },
    );
    if (uploaded.kind !== 'ok') {
      return uploaded;
    }
    onStep('launching');
    const launched = await shell.value.run(
      { text: launchScript, args: [target.jobId, String(secretPairs(secrets).length)] },
      { timeoutMs: FIRST_EXEC_TIMEOUT_MS, signal, inputFolder: folder, ...secretsInput(secrets) },
    );
    if (launched.kind !== 'ok') {
      return launched;
    }
    if (launched.value.exitCode !== 0) {
      return failed(notLaunched(launched.value.stdout));
    }
    return ok({ backendRef: `${target.instanceName}/${target.jobId}` });
  }

  follow(target: JobTarget, offsets: Offsets, sink: FollowSink, signal: AbortSignal): Promise<FollowEnd> {
    let follow = this.#follows.get(target.instanceId);
    if (follow === undefined) {
      follow = new InstanceFollow(this.#options);
      this.#follows.set(target.instanceId, follow);
    }
    return follow.follow(target, offsets, sink, signal);
  }

  async adopt(target: JobTarget, container: string, signal: AbortSignal): Promise<Outcome<void>> {
    const shell = await this.#options.shell(target);
    if (shell.kind !== 'ok') {
      return shell;
    }
    const uploaded = await shell.value.upload(
      [{ path: `.brev-jobs/${target.jobId}/supervisor.sh`, content: Buffer.from(supervisorScript) }],
      { timeoutMs: FIRST_EXEC_TIMEOUT_MS, signal },
    );
    if (uploaded.kind !== 'ok') {
      return uploaded;
    }
    const answer = await shell.value.run(
      { text: adoptScript, args: [target.jobId, container] },
      { timeoutMs: FIRST_EXEC_TIMEOUT_MS, signal },
    );
    if (answer.kind !== 'ok') {
      return answer;
    }
    return answer.value.exitCode === 0
      ? ok(undefined)
      : failed({
          kind: 'remoteFailed',
          message: message('There is no container {0} on {1} to follow.', container, target.instanceName),
          action: 'showLog',
          retrySafe: true,
          detail: answer.value.stdout,
        });
  }

  async cancel(target: JobTarget, signal: AbortSignal): Promise<Outcome<void>> {
    const shell = await this.#options.shell(target);
    if (shell.kind !== 'ok') {
      return shell;
    }
    const answer = await shell.value.run(
      { text: cancelScript, args: [target.jobId] },
      { timeoutMs: CANCEL_TIMEOUT_MS, signal },
    );
    if (answer.kind !== 'ok') {
      return answer;
    }
    if (signal.aborted) {
      return cancelled;
    }
    return answer.value.exitCode === 0
      ? ok(undefined)
      : failed({
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

  async results(target: JobTarget, signal: AbortSignal): Promise<Outcome<JobResults>> {
    const shell = await this.#options.shell(target);
    return shell.kind === 'ok' ? listResults(shell.value, target.jobId, signal) : shell;
  }
}

/** What the supervisor runs, as files of the job's folder. */
function workFiles(jobId: string, work: JobWork, secrets: JobSecrets): readonly [string, Uint8Array][] {
  switch (work.kind) {
    case 'command': {
      const command = Buffer.from(`${work.command}\n`);
      return work.container === undefined
        ? [['command', command]]
        : inContainer(jobId, work.container, command, ['bash', SPEC_PATH], secrets);
    }
    case 'spec':
      return inContainer(
        jobId,
        work.spec,
        work.spec.specFile.content,
        taoCommand(work.spec, SPEC_PATH),
        secrets,
      );
  }
}

/** The content is what the container has as its spec. */
function inContainer(
  jobId: string,
  run: Pick<RunSpec, 'gpus' | 'image' | 'inputs'>,
  content: Uint8Array,
  program: readonly string[],
  secrets: JobSecrets,
): readonly [string, Uint8Array][] {
  const args = containerArguments(jobId, run, program, secrets.environment.size > 0);
  return [
    ['spec.yaml', content],
    ['image', Buffer.from(`${run.image}\n`)],
    // ended, not separated, by NUL: nothing in an argument needs quoting
    ['container.args', Buffer.from(`${args.join('\0')}\0`)],
  ];
}

function secretPairs({ environment, ngcKey }: JobSecrets): readonly (readonly [string, string])[] {
  return [...environment, ...(ngcKey === undefined ? [] : [['registry', ngcKey] as const])];
}

/** The secrets as launch.sh reads them; without any there is no input, which the exec route has to copy first. */
function secretsInput(secrets: JobSecrets): { input?: Uint8Array } {
  const pairs = secretPairs(secrets);
  return pairs.length === 0
    ? {}
    : { input: Buffer.from(pairs.map(([name, value]) => `${name}=${value}\0`).join('')) };
}

function notLaunched(output: string): Failure {
  return {
    kind: /No space left/.test(output) ? 'diskFull' : 'remoteFailed',
    message: message(
      'The job could not be launched on the instance: {0}',
      output.trim().split('\n').at(-1) ?? '',
    ),
    action: 'showLog',
    retrySafe: true,
    detail: output,
  };
}
