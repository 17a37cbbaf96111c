import type { Brev } from '../brev/brev.ts';
import { exec } from '../brev/exec.ts';
import { type Clock, sleep } from '../process/clock.ts';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { type Instance, isInTransition, isOn } from './instance.ts';
import type { InstanceStore } from './store.ts';
import { advance, type Timeline } from './timeline.ts';

export interface ReadinessSettings {
  readonly intervalMs: number;
  /** Counts from RUNNING. */
  readonly deadlineMs: number;
  /** How long provisioning may take before it counts as stuck. */
  readonly stuckMs: number;
}

/** How far an instance has come. */
export type ReadinessProgress =
  | { readonly kind: 'provisioning'; readonly instance: Instance; readonly timeline: Timeline }
  | {
      readonly kind: 'probing';
      readonly instance: Instance;
      readonly timeline: Timeline;
      readonly attempts: number;
    };

export type Readiness =
  | {
      readonly kind: 'ready';
      readonly instance: Instance;
      readonly timeline: Timeline;
      readonly tookMs: number;
    }
  | {
      readonly kind: 'notReady';
      readonly instance: Instance | undefined;
      readonly timeline: Timeline;
      readonly because: Failure;
    }
  | { readonly kind: 'cancelled' };

/** A single probe may sit in the CLI's own retries (41 × 1 s); a slow link needs more than 10 s (users.md C, #226). */
const PROBE_TIMEOUT_MS = 30_000;
const PROBE_ANSWER = '@ok';

export interface ReadinessOptions {
  readonly brev: Pick<Brev, 'execute'>;
  readonly store: InstanceStore;
  readonly clock: Clock;
  readonly settings: () => ReadinessSettings;
}

/**
 * Waits until a command really runs on the instance: RUNNING comes long before sshd, DNS and the login shell.
 * It lists before each probe and probes only what is running, because exec would start a stopped one.
 */
export async function waitUntilReady(
  options: ReadinessOptions,
  id: string,
  onProgress: (progress: ReadinessProgress) => void,
  signal: AbortSignal,
): Promise<Readiness> {
  const { clock, store } = options;
  const since = clock.now();
  let runningSince: number | undefined;
  let attempts = 0;
  let last: Failure | undefined;
  let timeline: Timeline = {};
  const notReady = (instance: Instance | undefined, because: Failure): Readiness => ({
    kind: 'notReady',
    instance,
    timeline,
    because,
  });
  const stopExpecting = store.expect(`ready:${id}`, () => signal.aborted);
  try {
    while (!signal.aborted) {
      const { intervalMs, deadlineMs, stuckMs } = options.settings();
      const listed = await store.refresh();
      const instance = store.find(id);
      if (listed.kind === 'ok' && instance === undefined) {
        return notReady(instance, gone());
      }
      if (listed.kind === 'failed' && store.needsUser) {
        // to go on asking a CLI that is signed out, or gone, helps nobody
        return notReady(instance, listed.failure);
      }
      if (listed.kind === 'ok' && instance !== undefined) {
        timeline = advance(timeline, instance, clock.now());
        if (isOn(instance)) {
          runningSince ??= clock.now();
          if (!instance.usableName) {
            return notReady(instance, unusableName(instance));
          }
          attempts++;
          onProgress({ kind: 'probing', instance, timeline, attempts });
          const probed = await probe(options.brev, instance.name, signal);
          if (probed === 'ready') {
            const now = clock.now();
            return { kind: 'ready', instance, timeline: { ...timeline, ready: now }, tookMs: now - since };
          }
          if (typeof probed === 'object' && probed.kind === 'sshConfigBroken' && !probed.retrySafe) {
            // a fault of this computer: it doesn't pass by asking again (users.md C, #366)
            return notReady(instance, probed);
          }
          last = probed === 'cancelled' ? last : probed;
        } else if (isInTransition(instance) || instance.status === 'unknown') {
          runningSince = undefined;
          onProgress({ kind: 'provisioning', instance, timeline });
        } else {
          return notReady(instance, endedAs(instance));
        }
      }
      const now = clock.now();
      const late = runningSince === undefined ? now - since >= stuckMs : now - runningSince >= deadlineMs;
      if (late) {
        // what an old list shows is no reason: nothing is known then but why there is no new one
        return notReady(
          instance,
          listed.kind === 'failed'
            ? listed.failure
            : deadlineReached(instance, now - (runningSince ?? since), last),
        );
      }
      await sleep(clock, intervalMs, signal);
    }
    return { kind: 'cancelled' };
  } finally {
    stopExpecting();
  }
}

/**
 * Whether a trivial command runs. Two words in one argument: a one-word probe passes even where the argument form
 * is wrong (tao.md part 2). The CLI appends the instance's name, and old ones begin with a line about an agent, so
 * the answer is a line of its own that can be no name.
 */
async function probe(
  brev: Pick<Brev, 'execute'>,
  name: string,
  signal: AbortSignal,
): Promise<'ready' | 'cancelled' | Failure> {
  const command = exec(name, `echo ${PROBE_ANSWER}`, PROBE_TIMEOUT_MS);
  if (command.kind !== 'ok') {
    return command.kind === 'failed' ? command.failure : 'cancelled';
  }
  const outcome = await brev.execute(command.value, signal);
  switch (outcome.kind) {
    case 'cancelled':
      return 'cancelled';
    case 'failed':
      return outcome.failure;
    case 'ok':
      return outcome.value.split('\n').some((line) => line.trim() === PROBE_ANSWER)
        ? 'ready'
        : {
            kind: 'unreachable',
            message: message('The instance answered something else than the probe asked for.'),
            action: 'showLog',
            retrySafe: true,
            detail: outcome.value.slice(0, 500),
          };
  }
}

function gone(): Failure {
  return {
    kind: 'instanceNotFound',
    message: message('The instance is gone: it was deleted, or its creation failed.'),
    action: 'refresh',
    retrySafe: false,
  };
}

function unusableName(instance: Instance): Failure {
  return {
    kind: 'unusableName',
    message: message('{0} is running, but its name cannot be used for commands.', instance.name),
    action: 'openConsole',
    retrySafe: false,
  };
}

function endedAs(instance: Instance): Failure {
  return instance.status === 'failed'
    ? {
        kind: 'createFailed',
        message: message(
          '{0} failed to start. Delete it and try another type or provider; a failed machine may still bill.',
          instance.name,
        ),
        action: 'deleteInstance',
        retrySafe: false,
      }
    : {
        kind: 'instanceNotRunning',
        message: message(
          '{0} is {1} and will not become ready by itself.',
          instance.name,
          instance.reported.status,
        ),
        action: 'startInstance',
        retrySafe: false,
      };
}

/** What the last probe said is worth more than that it failed: these don't pass by waiting (users.md C, #418). */
const TELLING: ReadonlySet<Failure['kind']> = new Set(['noSshAccess', 'sshConfigBroken', 'localFile']);

function deadlineReached(
  instance: Instance | undefined,
  waitedMs: number,
  last: Failure | undefined,
): Failure {
  const minutes = Math.max(1, Math.round(waitedMs / 60_000));
  const name = instance?.name ?? '?';
  if (instance !== undefined && isOn(instance)) {
    if (last !== undefined && TELLING.has(last.kind)) {
      return last;
    }
    const missing = missingSignals(instance);
    return {
      kind: 'unreachable',
      message: message(
        '{0} is running, and billing, but no command ran on it within {1} min ({2}).',
        name,
        minutes,
        missing,
      ),
      action: 'waitUntilReady',
      retrySafe: true,
      ...(last?.detail === undefined ? {} : { detail: last.detail }),
    };
  }
  return {
    kind: 'stuckProvisioning',
    message: message(
      '{0} has been in provisioning for {1} min. Another type or provider may be faster; it may be billing.',
      name,
      minutes,
    ),
    action: 'deleteInstance',
    retrySafe: false,
  };
}

/** Which of the CLI's own signals are not what a ready instance shows. */
function missingSignals(instance: Instance): string {
  const { build, shell, health } = instance.reported;
  return `build: ${build || 'never started'}, shell: ${shell || 'unknown'}, health: ${health || 'unknown'}`;
}
