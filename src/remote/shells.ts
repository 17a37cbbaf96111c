import type { Brev } from '../brev/brev.ts';
import { isUsableName } from '../brev/instanceName.ts';
import { isOn } from '../instances/instance.ts';
import type { InstanceStore, InstancesChange } from '../instances/store.ts';
import type { Clock } from '../process/clock.ts';
import { Emitter, type Listen } from '../values/emitter.ts';
import { inEnglish, message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { ChosenShell } from './chosenShell.ts';
import { ConfigRefresh } from './configRefresh.ts';
import { removeAbandonedInputs } from './inputFolder.ts';
import { InstanceRoute, type RouteState } from './instanceRoute.ts';
import { forwardPort, type PortForward } from './portForward.ts';
import { requireOn, type ShellTarget } from './runningInstance.ts';
import type { RemoteShell } from './shell.ts';
import type { SshSettings } from './sshMaster.ts';

/** The first command on a fresh instance may take that long (features.md row 14). */
const FIRST_EXEC_MS = 600_000;

export interface ShellsOptions {
  readonly brev: Pick<Brev, 'execute' | 'stream'>;
  readonly store: Pick<InstanceStore, 'refresh' | 'find' | 'listing' | 'onChange' | 'needsUser'>;
  /** Undefined where ssh can't share connections, as on Windows: then everything goes by exec. */
  readonly ssh: SshSettings | undefined;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Shells on running instances, and what is known about the way to each. */
export class Shells {
  readonly #options: ShellsOptions;
  readonly #refresh: ConfigRefresh;
  readonly #ways = new Map<string, { readonly name: string; readonly way: InstanceRoute }>();
  readonly #changes = new Emitter<string>();
  readonly #unsubscribe: () => void;
  #tidied: Promise<void> | undefined;

  /** Tells the id of an instance whose route has changed. */
  readonly onRouteChange: Listen<string> = this.#changes.listen;

  constructor(options: ShellsOptions) {
    this.#options = options;
    this.#refresh = new ConfigRefresh(options.brev, options.clock);
    this.#unsubscribe = options.store.onChange((change) => this.#onInstances(change));
  }

  /** A shell on an instance that a fresh list shows as on; which way it goes is found out by its first call. */
  async shell(target: ShellTarget): Promise<Outcome<RemoteShell>> {
    const { brev, clock, store } = this.#options;
    this.#tidied ??= this.#tidyUp();
    const on = await requireOn(store, target);
    if (on.kind !== 'ok') {
      return on;
    }
    const { name } = on.value;
    const way = this.#way({ instanceId: target.instanceId, instanceName: name });
    return ok(
      new ChosenShell({ brev, instanceName: name, way, isOn: () => requireOn(store, target, clock) }),
    );
  }

  /** The way to an instance and why, for the details of a job; undefined while nobody has asked for a shell on it. */
  route(instanceId: string): RouteState | undefined {
    return this.#ways.get(instanceId)?.way.state;
  }

  /** Forwards a port to an instance that is on; needs the way by ssh, which has checked that it leads to this one. */
  async forward(
    target: ShellTarget,
    ports: { readonly localPort: number; readonly remotePort: number },
    signal: AbortSignal,
  ): Promise<Outcome<PortForward>> {
    const { clock, ssh } = this.#options;
    const shell = await this.shell(target);
    if (shell.kind !== 'ok') {
      return shell;
    }
    const answer = await shell.value.run({ text: 'true', args: [] }, { timeoutMs: FIRST_EXEC_MS, signal });
    if (answer.kind !== 'ok') {
      return answer;
    }
    const known = this.#ways.get(target.instanceId);
    const state = known?.way.state;
    if (ssh === undefined || known === undefined || state?.route !== 'ssh') {
      return failed({
        kind: 'unreachable',
        message: message(
          'A port needs SSH, which does not reach {0}: {1}',
          target.instanceName,
          state?.route === 'exec' ? inEnglish(state.reason) : '?',
        ),
        retrySafe: true,
      });
    }
    return forwardPort({ ssh, alias: known.name, clock, ...ports }, signal);
  }

  /** Ends all connections. */
  async dispose(): Promise<void> {
    this.#unsubscribe();
    this.#refresh.dispose();
    const ways = [...this.#ways.values()];
    this.#ways.clear();
    await Promise.all(ways.map(({ way }) => way.close()));
    await this.#options.ssh?.control.dispose();
  }

  /** No secret lies around because a window was killed. */
  async #tidyUp(): Promise<void> {
    try {
      await removeAbandonedInputs();
    } catch (error) {
      this.#options.log(`What killed windows left could not be removed: ${String(error)}`);
    }
  }

  #way(target: ShellTarget): InstanceRoute {
    const known = this.#ways.get(target.instanceId);
    if (known?.name === target.instanceName) {
      return known.way;
    }
    void known?.way.close();
    const way = new InstanceRoute({
      target,
      // a name that isn't usable could mean something else to ssh than an alias
      ssh: isUsableName(target.instanceName) ? this.#options.ssh : undefined,
      refresh: this.#refresh,
      clock: this.#options.clock,
      log: this.#options.log,
      onChange: () => this.#changes.emit(target.instanceId),
    });
    this.#ways.set(target.instanceId, { name: target.instanceName, way });
    return way;
  }

  /** Another organisation's list has other instances: its connections go like those of deleted ones. */
  #onInstances({ changed, removed }: InstancesChange): void {
    for (const { id } of removed) {
      void this.#ways.get(id)?.way.close();
      this.#ways.delete(id);
    }
    for (const { before, after } of changed) {
      if (isOn(after) && !isOn(before)) {
        this.#ways.get(after.id)?.way.restarted();
      }
    }
  }
}
