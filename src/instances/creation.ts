import type { Brev } from '../brev/brev.ts';
import {
  type CreateRequest,
  create,
  deploy,
  type LaunchableRequest,
  type Placement,
} from '../brev/create.ts';
import { type Clock, sleep, systemClock } from '../process/clock.ts';
import type { Failure, FailureKind } from '../values/failure.ts';
import { message } from '../values/message.ts';
import type { Outcome } from '../values/outcome.ts';
import type { Instance } from './instance.ts';
import type { InstanceStore } from './store.ts';

/** What came of asking for an instance. Only the list tells what exists and costs money. */
export type Creation =
  | { readonly kind: 'created'; readonly instance: Instance }
  /** The call failed or was cancelled, and yet the instance exists: it bills. */
  | { readonly kind: 'createdAnyway'; readonly instance: Instance; readonly because: Failure | 'cancelled' }
  | { readonly kind: 'notCreated'; readonly because: Failure | 'cancelled' }
  /** Neither the call nor the list said what happened. */
  | { readonly kind: 'unknown'; readonly because: Failure };

/** Failures that say nothing about what the server did. */
const CUT_OFF: ReadonlySet<FailureKind> = new Set([
  'createOutcomeUnknown',
  'timedOut',
  'serverError',
  'unreadableAnswer',
]);
const LATE_LOOKS_MS = [1_500, 3_500] as const;

/**
 * Creates an instance and then looks what exists, whatever the call said: exit 0 means only that the request was
 * accepted, and a failed, cancelled or killed create may have created (brev-cli.md part 5).
 */
export async function createInstance(
  brev: Pick<Brev, 'execute' | 'dialect'>,
  store: Pick<InstanceStore, 'refresh' | 'instances'>,
  request: CreateRequest | LaunchableRequest,
  placement: Placement | undefined,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<Creation> {
  const dialect = await brev.dialect();
  if (dialect.kind !== 'ok') {
    return { kind: 'notCreated', because: dialect.kind === 'failed' ? dialect.failure : 'cancelled' };
  }
  const command =
    'launchable' in request ? deploy(request, dialect.value) : create(request, dialect.value, placement);
  if (command.kind !== 'ok') {
    return { kind: 'notCreated', because: command.kind === 'failed' ? command.failure : 'cancelled' };
  }
  const before = await store.refresh();
  if (before.kind === 'cancelled') {
    return { kind: 'notCreated', because: 'cancelled' };
  }
  if (before.kind === 'failed') {
    return { kind: 'notCreated', because: before.failure };
  }
  const taken = nameTakenBy(before.value, request.name);
  if (taken !== undefined) {
    return { kind: 'notCreated', because: taken };
  }
  if (signal.aborted) {
    return { kind: 'notCreated', because: 'cancelled' };
  }
  const known = new Set(before.value.map((instance) => instance.id));
  const outcome = await brev.execute(command.value, signal);
  const because =
    outcome.kind === 'ok' ? undefined : outcome.kind === 'cancelled' ? 'cancelled' : outcome.failure;

  const after = await look(store, request.name, because, clock);
  if (after.kind !== 'ok') {
    const listFailure = after.kind === 'failed' ? after.failure : undefined;
    return { kind: 'unknown', because: outcomeUnknown(request.name, because, listFailure) };
  }
  if (typeof because === 'object' && because.kind === 'nameTaken') {
    // whatever has the name now was there before, or belongs to somebody else
    return { kind: 'notCreated', because: nameTakenBy(after.value, request.name) ?? because };
  }
  const instance = after.value.find((each) => each.name === request.name && !known.has(each.id));
  if (instance !== undefined) {
    return because === undefined
      ? { kind: 'created', instance }
      : { kind: 'createdAnyway', instance, because };
  }
  if (because === undefined) {
    return { kind: 'unknown', because: outcomeUnknown(request.name, undefined, undefined) };
  }
  return { kind: 'notCreated', because };
}

/**
 * Lists what exists now. A request that was cut off in the middle may still be on its way: then the list is looked at
 * again before it is believed that there is nothing.
 */
async function look(
  store: Pick<InstanceStore, 'refresh'>,
  name: string,
  because: Failure | 'cancelled' | undefined,
  clock: Clock,
): Promise<Outcome<readonly Instance[]>> {
  let listed = await store.refresh();
  const onItsWay = because === 'cancelled' || (because !== undefined && CUT_OFF.has(because.kind));
  for (const pauseMs of onItsWay ? LATE_LOOKS_MS : []) {
    if (listed.kind === 'ok' && listed.value.some((instance) => instance.name === name)) {
      break;
    }
    await sleep(clock, pauseMs);
    listed = await store.refresh();
  }
  return listed;
}

function nameTakenBy(instances: readonly Instance[], name: string): Failure | undefined {
  const instance = instances.find((each) => each.name === name);
  return instance === undefined ? undefined : nameTaken(instance);
}

function nameTaken(instance: Instance): Failure {
  return instance.status === 'deleting'
    ? {
        kind: 'nameBeingDeleted',
        message: message(
          'The previous {0} is still being deleted. Wait until it is gone, or choose another name.',
          instance.name,
        ),
        action: 'refresh',
        retrySafe: true,
      }
    : {
        kind: 'nameTaken',
        message: message('There is already an instance named {0}. Choose another name.', instance.name),
        retrySafe: false,
      };
}

function outcomeUnknown(
  name: string,
  because: Failure | 'cancelled' | undefined,
  listFailure: Failure | undefined,
): Failure {
  const details = [because, listFailure].flatMap((each) =>
    typeof each === 'object' && each.detail !== undefined ? [each.detail] : [],
  );
  return {
    kind: 'createOutcomeUnknown',
    message: message(
      'It is not known whether {0} was created. Look again before you create another: it may be billing.',
      name,
    ),
    action: 'refresh',
    retrySafe: false,
    ...(details.length > 0 ? { detail: details.join('\n') } : {}),
  };
}
