import type { Brev } from '../brev/brev.ts';
import { isOn } from '../instances/instance.ts';
import type { InstanceStore } from '../instances/store.ts';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { ExecShell } from './execShell.ts';
import type { RemoteShell } from './shell.ts';

/**
 * A shell on an instance that a fresh list shows as running. The CLI's exec starts a stopped instance, and bills, so
 * nothing remote is run on the word of an old list.
 */
export function runningShell(
  brev: Pick<Brev, 'execute' | 'stream'>,
  store: Pick<InstanceStore, 'refresh' | 'find'>,
): (target: { readonly instanceId: string; readonly instanceName: string }) => Promise<Outcome<RemoteShell>> {
  return async ({ instanceId, instanceName }) => {
    const listed = await store.refresh();
    if (listed.kind !== 'ok') {
      return listed;
    }
    const instance = store.find(instanceId);
    if (instance === undefined) {
      return failed({
        kind: 'instanceNotFound',
        message: message('{0} is gone: it is not in the list any more.', instanceName),
        retrySafe: false,
      });
    }
    if (!isOn(instance)) {
      return failed({
        kind: 'instanceNotRunning',
        message: message('{0} is not running (state: {1}).', instance.name, instance.reported.status),
        action: 'startInstance',
        retrySafe: false,
      });
    }
    return ok(new ExecShell(brev, instance.name));
  };
}
