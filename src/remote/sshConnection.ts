import { existsSync } from 'node:fs';
import type { RunResult } from '../process/run.ts';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { failed } from '../values/outcome.ts';
import type { Machine } from './machineIdentity.ts';
import { foundNoConnection, sessionArguments } from './sshArguments.ts';
import { sshFailure } from './sshFailure.ts';
import { endMaster, type Master, openMaster, type SshConnectionOptions } from './sshMaster.ts';
import type { SshScript } from './sshScript.ts';

/** One command over the connection. */
export interface SessionRequest {
  readonly script: (machine: Machine) => SshScript;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onStdout?: (chunk: Uint8Array) => void;
}

/** How ssh ended; or that no session came about, and so the command has not run. */
export type SessionResult = RunResult | { readonly kind: 'notConnected'; readonly failure: Failure };

/** A place for one session on a master, or why there is none. */
type Place =
  | { readonly kind: 'ok'; readonly value: Master }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'timedOut' };

/** A session may find its master just gone, or the server unwilling to give it one more. */
const ATTEMPTS = 12;
/** sshd allows ten; two are left for commands that go on over there although nobody waits for them here. */
const SESSIONS_PER_MASTER = 8;
const OPEN_AGAIN_AFTER_MS = 5_000;

/** The shared connection to one instance: as many masters as its sessions need, most of the time one. */
export class SshConnection {
  readonly #options: SshConnectionOptions;
  readonly #abort = new AbortController();
  readonly #waiting = new Set<(place: Place) => void>();
  #masters: readonly Master[] = [];
  #opening: Promise<void> | undefined;
  #pause: NodeJS.Timeout | undefined;
  #inUse = 0;
  /** What this server allows, as far as it has shown. */
  #limit = SESSIONS_PER_MASTER;

  constructor(options: SshConnectionOptions) {
    this.#options = options;
  }

  /** Whether a connection stands, as far as can be seen without using it. */
  get stands(): boolean {
    return this.#live().length > 0;
  }

  /** Whether any call is under way on it, even if it waits for a connection only. */
  get busy(): boolean {
    return this.#inUse > 0;
  }

  /** Connects if need be; the failure, when it can't. */
  async connect(timeoutMs: number, signal: AbortSignal): Promise<Exclude<Place, { kind: 'ok' }> | undefined> {
    if (this.stands) {
      return undefined;
    }
    const place = await this.#place(timeoutMs, signal);
    if (place.kind !== 'ok') {
      return place;
    }
    this.#leave(place.value);
    return undefined;
  }

  /** Runs a command in a session of its own, connecting first where needed. */
  async session(request: SessionRequest): Promise<SessionResult> {
    this.#inUse++;
    try {
      return await this.#session(request);
    } finally {
      this.#inUse--;
    }
  }

  /** Ends the connection and whatever still runs over it. */
  async close(): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#pause);
    this.#tellAll({ kind: 'cancelled' });
    await this.#opening;
    const masters = this.#masters;
    this.#masters = [];
    await Promise.all(masters.map(({ socket }) => endMaster(this.#options.ssh, socket)));
  }

  async #session(request: SessionRequest): Promise<SessionResult> {
    const deadline = performance.now() + request.timeoutMs;
    for (let attempt = 1; ; attempt++) {
      const place = await this.#place(deadline - performance.now(), request.signal);
      switch (place.kind) {
        case 'cancelled':
          return place;
        case 'timedOut':
          return { ...place, timeoutMs: request.timeoutMs, stdout: '', stderr: '', truncated: false };
        case 'failed':
          return { kind: 'notConnected', failure: place.failure };
        case 'ok':
      }
      const result = await this.#runOn(place.value, request, deadline - performance.now());
      if (!missedItsMaster(result)) {
        return result;
      }
      if (attempt === ATTEMPTS) {
        return { kind: 'notConnected', failure: noSession(this.#options.alias, result.stderr) };
      }
    }
  }

  async #runOn(master: Master, request: SessionRequest, timeoutMs: number): Promise<RunResult> {
    const { alias, ssh } = this.#options;
    const { command, stdin } = request.script(master.machine);
    try {
      const result = await ssh.run(ssh.program, {
        args: sessionArguments({ configFile: ssh.configFile(), alias, socket: master.socket }, command),
        env: ssh.environment(),
        input: stdin,
        timeoutMs: Math.max(1, timeoutMs),
        signal: request.signal,
        ...(request.onStdout === undefined ? {} : { onStdout: request.onStdout }),
      });
      if (result.kind === 'cancelled' || result.kind === 'timedOut') {
        master.abandoned++;
      } else if (missedItsMaster(result)) {
        await this.#onMissed(master, result.stderr);
      }
      return result;
    } finally {
      this.#leave(master);
    }
  }

  async #onMissed(master: Master, stderr: string): Promise<void> {
    if (/Session open refused/.test(stderr)) {
      master.limit = master.sessions - 1;
      this.#limit = Math.max(1, Math.min(this.#limit, master.limit + master.abandoned));
    } else if (this.#masters.includes(master)) {
      this.#masters = this.#masters.filter((each) => each !== master);
      await endMaster(this.#options.ssh, master.socket);
    }
  }

  /** A place as soon as there is one. */
  #place(timeoutMs: number, signal: AbortSignal): Promise<Place> {
    if (signal.aborted || this.#abort.signal.aborted) {
      return Promise.resolve({ kind: 'cancelled' });
    }
    return new Promise((resolve) => {
      const settle = (place: Place): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#waiting.delete(settle);
        resolve(place);
      };
      const abort = (): void => settle({ kind: 'cancelled' });
      const timer = setTimeout(() => settle({ kind: 'timedOut' }), Math.max(1, timeoutMs));
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(settle);
      this.#serve();
    });
  }

  /** Gives places to those who wait. For those who are left a master is opened, and a place may come free meanwhile. */
  #serve(): void {
    const masters = this.#live();
    for (const waiter of this.#waiting) {
      const free = masters.find(({ sessions, limit }) => sessions < Math.min(limit, this.#limit));
      if (free === undefined) {
        this.#open();
        return;
      }
      free.sessions++;
      waiter({ kind: 'ok', value: free });
    }
  }

  #leave(master: Master): void {
    master.sessions--;
    this.#serve();
  }

  #open(): void {
    if (this.#opening !== undefined || this.#pause !== undefined || this.#abort.signal.aborted) {
      return;
    }
    this.#opening = openMaster(this.#options, this.#abort.signal)
      .catch((error: unknown) => failed(sshFailure(this.#options.alias, String(error))))
      .then((opened) => {
        this.#opening = undefined;
        if (opened.kind === 'ok') {
          this.#masters = [...this.#masters, opened.value];
          this.#serve();
        } else if (this.stands) {
          // one more was too many, perhaps only for now: those who wait may still get a place on the others
          this.#pause = setTimeout(() => {
            this.#pause = undefined;
            this.#serve();
          }, OPEN_AGAIN_AFTER_MS);
        } else {
          this.#tellAll(opened);
        }
      });
  }

  #tellAll(place: Place): void {
    for (const waiter of this.#waiting) {
      waiter(place);
    }
  }

  /** Masters that haven't ended: one takes its socket along. */
  #live(): readonly Master[] {
    if (!this.#masters.every(({ socket }) => existsSync(socket))) {
      this.#masters = this.#masters.filter(({ socket }) => existsSync(socket));
    }
    return this.#masters;
  }
}

function noSession(alias: string, stderr: string): Failure {
  return {
    kind: 'unreachable',
    message: message('{0} gives no further session on its SSH connection.', alias),
    retrySafe: true,
    detail: stderr,
  };
}

function missedItsMaster(result: RunResult): result is Extract<RunResult, { kind: 'failed' }> {
  return result.kind === 'failed' && result.exitCode === 255 && foundNoConnection(result.stderr);
}
