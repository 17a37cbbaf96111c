import type { Clock } from '../process/clock.ts';
import type { Failure } from '../values/failure.ts';
import { inEnglish, type Message, message } from '../values/message.ts';
import type { ConfigRefresh } from './configRefresh.ts';
import { isInstance, type Machine } from './machineIdentity.ts';
import type { ShellTarget } from './runningInstance.ts';
import { readSshAlias, type SshAlias } from './sshAlias.ts';
import { SshConnection } from './sshConnection.ts';
import type { SshSettings } from './sshMaster.ts';
import { SshShell } from './sshShell.ts';

/** Which way commands go to an instance, and why. */
export type RouteState =
  | { readonly route: 'undecided' }
  | { readonly route: 'ssh'; readonly since: number }
  | {
      readonly route: 'exec';
      readonly since: number;
      readonly reason: Message;
      /** When ssh is tried again; undefined when that is of no use on this computer. */
      readonly retryAt: number | undefined;
    };

export interface InstanceRouteOptions {
  readonly target: ShellTarget;
  /** Undefined where ssh can't share connections. */
  readonly ssh: SshSettings | undefined;
  readonly refresh: ConfigRefresh;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly onChange: () => void;
}

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 600_000;
/** Handshake, first command, and perhaps a refresh of the CLI's config. */
const CONNECT_TIMEOUT_MS = 120_000;

/**
 * The way to one instance: ssh while it answers, else exec, with ssh tried again later.
 *
 * The alias in the CLI's config may be stale: names are used again, addresses too, and the same key opens all machines
 * of a user. So a connection is used only when it is known to be this instance's: because the machine is named after
 * it, or because the entry stood the same in a config that was refreshed after the instance was last seen to come up.
 * A machine that is named after another instance is never used.
 */
export class InstanceRoute {
  readonly #options: InstanceRouteOptions;
  #state: RouteState = { route: 'undecided' };
  #connection: { readonly connection: SshConnection; readonly shell: SshShell } | undefined;
  #connecting: Promise<SshShell | undefined> | undefined;
  #abort = new AbortController();
  #upSince: number;
  #failures = 0;
  /** Whether any command has worked: the first one on a fresh instance needs patience. */
  reached = false;

  constructor(options: InstanceRouteOptions) {
    this.#options = options;
    this.#upSince = options.clock.now();
    if (options.ssh === undefined) {
      const reason = message('Shared SSH connections do not work on this computer.');
      this.#state = { route: 'exec', since: this.#upSince, reason, retryAt: undefined };
    }
  }

  get state(): RouteState {
    return this.#state;
  }

  /** The shell over ssh, if that is the way now; undefined: it is exec, or the signal has ended the wait. */
  async ssh(signal: AbortSignal): Promise<SshShell | undefined> {
    const { clock } = this.#options;
    const { connection, shell } = this.#connection ?? {};
    if (connection?.stands || connection?.busy) {
      return shell;
    }
    if (this.#state.route === 'exec') {
      const { retryAt } = this.#state;
      if (retryAt !== undefined && clock.now() >= retryAt) {
        // exec works meanwhile: nobody has to wait for this
        void this.#connectOnce();
      }
      return undefined;
    }
    return untilAborted(this.#connectOnce(), signal);
  }

  /** A session could not be had. */
  fellBack(failure: Failure): void {
    if (this.#state.route !== 'exec') {
      this.#useExec(failure);
      void this.#disconnect();
    }
  }

  /** The instance came up again: another address perhaps, and no failure of before counts. */
  restarted(): void {
    this.#upSince = this.#options.clock.now();
    this.#failures = 0;
    this.reached = false;
    if (this.#options.ssh !== undefined) {
      this.#set({ route: 'undecided' });
    }
    void this.#disconnect();
  }

  async close(): Promise<void> {
    await this.#disconnect();
  }

  #connectOnce(): Promise<SshShell | undefined> {
    if (this.#connecting === undefined) {
      const connecting = this.#connect(this.#abort.signal).finally(() => {
        if (this.#connecting === connecting) {
          this.#connecting = undefined;
        }
      });
      this.#connecting = connecting;
    }
    return this.#connecting;
  }

  async #connect(signal: AbortSignal): Promise<SshShell | undefined> {
    const { clock, ssh, target } = this.#options;
    if (ssh === undefined) {
      return undefined;
    }
    await this.#connection?.connection.close();
    const opened = await this.#open(ssh, signal).catch(unreadableConfig);
    if (signal.aborted) {
      await (opened instanceof SshConnection ? opened.close() : undefined);
      return undefined;
    }
    if (!(opened instanceof SshConnection)) {
      this.#useExec(opened);
      return undefined;
    }
    const shell = new SshShell(opened, target.instanceName);
    this.#connection = { connection: opened, shell };
    this.#failures = 0;
    if (this.#state.route !== 'ssh') {
      this.#set({ route: 'ssh', since: clock.now() });
      this.#options.log(`${target.instanceName}: commands go by ssh`);
    }
    return shell;
  }

  /** A connection to the right machine, if need be after a refresh of the config. */
  async #open(ssh: SshSettings, signal: AbortSignal): Promise<SshConnection | Failure> {
    const { clock, refresh, target } = this.#options;
    const begun = clock.now();
    let alias = await this.#alias(ssh);
    let failure = aliasMissing(target);
    // at most twice: the second time with what the refresh has brought
    for (let attempt = 1; ; attempt++) {
      if (alias !== undefined) {
        const connection = this.#newConnection(ssh, alias);
        const trouble = await connection.connect(CONNECT_TIMEOUT_MS, signal);
        if (trouble === undefined) {
          return connection;
        }
        await connection.close();
        failure = trouble.kind === 'failed' ? trouble.failure : failure;
      }
      if (attempt === 2 || signal.aborted) {
        return failure;
      }
      const refreshed = await refresh.since(begun);
      const next = refreshed.kind === 'ok' ? await this.#alias(ssh) : undefined;
      if (next === undefined || next.text === alias?.text) {
        return failure;
      }
      alias = next;
    }
  }

  async #alias(ssh: SshSettings): Promise<SshAlias | undefined> {
    const { clock, target } = this.#options;
    const alias = await readSshAlias(ssh.configFile(), target.instanceName, clock);
    const another = alias?.instanceId !== undefined && alias.instanceId !== target.instanceId;
    return another ? undefined : alias;
  }

  #newConnection(ssh: SshSettings, alias: SshAlias): SshConnection {
    return new SshConnection({
      ssh,
      alias: this.#options.target.instanceName,
      verify: (machine) => this.#verify(ssh, machine, alias),
    });
  }

  async #verify(ssh: SshSettings, machine: Machine, alias: SshAlias): Promise<Failure | undefined> {
    const { refresh, target } = this.#options;
    switch (isInstance(machine, target.instanceId)) {
      case 'yes':
        return undefined;
      case 'no':
        return anotherMachine(target, machine);
      case 'unknown': {
        const refreshed = await refresh.since(this.#upSince);
        const now = refreshed.kind === 'ok' ? await this.#alias(ssh) : undefined;
        return now?.text === alias.text ? undefined : notKnown(target);
      }
    }
  }

  #useExec(failure: Failure): void {
    const { clock, log, target } = this.#options;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failures++;
    const now = clock.now();
    this.#set({ route: 'exec', since: now, reason: failure.message, retryAt: now + pause });
    log(`${target.instanceName}: commands go by brev exec: ${inEnglish(failure.message)}`);
  }

  async #disconnect(): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const connecting = this.#connecting;
    this.#connecting = undefined;
    const connected = this.#connection;
    this.#connection = undefined;
    await Promise.all([connecting, connected?.connection.close()]);
  }

  #set(state: RouteState): void {
    this.#state = state;
    this.#options.onChange();
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve(undefined);
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function unreadableConfig(error: unknown): Failure {
  return {
    kind: 'sshConfigBroken',
    message: message('The SSH settings of the Brev CLI cannot be read: {0}', String(error)),
    retrySafe: true,
  };
}

function aliasMissing({ instanceName }: ShellTarget): Failure {
  return {
    kind: 'hostUnresolvable',
    message: message('The SSH settings of the Brev CLI do not know {0}.', instanceName),
    retrySafe: true,
  };
}

function anotherMachine({ instanceName }: ShellTarget, { hostName }: Machine): Failure {
  return {
    kind: 'sshConfigBroken',
    message: message(
      'The SSH settings of the Brev CLI lead to another machine ({1}) than {0}.',
      instanceName,
      hostName,
    ),
    retrySafe: true,
  };
}

function notKnown({ instanceName }: ShellTarget): Failure {
  return {
    kind: 'sshConfigBroken',
    message: message(
      'It could not be made sure that the SSH settings of the Brev CLI lead to {0}.',
      instanceName,
    ),
    retrySafe: true,
  };
}
