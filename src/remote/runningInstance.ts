import { type Instance, isOn } from '../instances/instance.ts';
import type { InstanceStore } from '../instances/store.ts';
import type { Clock } from '../process/clock.ts';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';

/** An instance as a job or a command knows it. */
export interface ShellTarget {
  readonly instanceId: string;
  readonly instanceName: string;
}

/** A list that is no older counts as fresh for the calls of one operation. */
const FRESH_MS = 5_000;

/**
 * The instance, if a fresh list shows it as on. The CLI's exec starts a stopped instance, and bills, so nothing remote
 * is run on the word of an old list. Without a clock the list must be newer than this call.
 */
export async function requireOn(
  store: Pick<InstanceStore, 'refresh' | 'find' | 'listing'>,
  { instanceId, instanceName }: ShellTarget,
  clock?: Clock,
): Promise<Outcome<Instance>> {
  const { listing } = store;
  const fresh = clock !== undefined && listing.kind === 'listed' && clock.now() - listing.at < FRESH_MS;
  if (!fresh) {
    const listed = await store.refresh();
    if (listed.kind !== 'ok') {
      return listed;
    }
  }
  const instance = store.find(instanceId);
  if (instance === undefined) {
    return failed({
      kind: 'instanceNotFound',
      message: message('{0} is gone: it is not in the list any more.', instanceName),
      retrySafe: false,
    });
  }
  return isOn(instance)
    ? ok(instance)
    : failed({
        kind: 'instanceNotRunning',
        message: message('{0} is not running (state: {1}).', instance.name, instance.reported.status),
        action: 'startInstance',
        retrySafe: false,
      });
}
