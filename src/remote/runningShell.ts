import type { Brev } from '../brev/brev.ts';
import type { InstanceStore } from '../instances/store.ts';
import { type Outcome, ok } from '../values/outcome.ts';
import { ExecShell } from './execShell.ts';
import { requireOn, type ShellTarget } from './runningInstance.ts';
import type { RemoteShell } from './shell.ts';

/** A shell by `brev exec` alone on an instance that a fresh list shows as running. Shells also knows the way by ssh. */
export function runningShell(
  brev: Pick<Brev, 'execute' | 'stream'>,
  store: Pick<InstanceStore, 'refresh' | 'find' | 'listing'>,
): (target: ShellTarget) => Promise<Outcome<RemoteShell>> {
  return async (target) => {
    const on = await requireOn(store, target);
    return on.kind === 'ok' ? ok(new ExecShell(brev, on.value.name, () => requireOn(store, target))) : on;
  };
}
