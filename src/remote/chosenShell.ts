import type { Brev } from '../brev/brev.ts';
import { cancelled, type Outcome } from '../values/outcome.ts';
import { download } from './download.ts';
import { ExecShell } from './execShell.ts';
import type { InstanceRoute } from './instanceRoute.ts';
import type {
  RemoteAnswer,
  RemoteFile,
  RemoteOptions,
  RemoteScript,
  RemoteShell,
  RunScriptOptions,
} from './shell.ts';

/** The first command on a fresh instance may take that long (features.md row 14). */
const FIRST_TIMEOUT_MS = 600_000;

export interface ChosenShellOptions {
  readonly brev: Pick<Brev, 'execute' | 'stream'>;
  readonly instanceName: string;
  readonly way: InstanceRoute;
  /** Whether the instance is on by a list that is fresh. */
  readonly isOn: () => Promise<Outcome<unknown>>;
}

/** A shell that goes by ssh while that answers, and else by exec, call by call. */
export class ChosenShell implements RemoteShell {
  readonly #options: ChosenShellOptions;

  constructor(options: ChosenShellOptions) {
    this.#options = options;
  }

  get route(): 'exec' | 'ssh' {
    return this.#options.way.state.route === 'ssh' ? 'ssh' : 'exec';
  }

  run(script: RemoteScript, options: RunScriptOptions): Promise<Outcome<RemoteAnswer>> {
    return this.#call(options.signal, (shell) => shell.run(script, this.#patient(options)));
  }

  upload(files: readonly RemoteFile[], options: RemoteOptions): Promise<Outcome<void>> {
    return this.#call(options.signal, (shell) => shell.upload(files, this.#patient(options)));
  }

  download(
    path: string,
    onBytes: (chunk: Uint8Array) => void,
    options: RemoteOptions,
  ): Promise<Outcome<number>> {
    // over the stream of this shell, so that a download that broke off can go on by the other way
    return download(this, path, onBytes, this.#patient(options));
  }

  stream(
    script: RemoteScript,
    onStdout: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<Outcome<void>> {
    return this.#call(signal, (shell) => shell.stream(script, onStdout, signal));
  }

  #patient<T extends RemoteOptions>(options: T): T {
    const { reached } = this.#options.way;
    return reached ? options : { ...options, timeoutMs: Math.max(options.timeoutMs, FIRST_TIMEOUT_MS) };
  }

  async #call<T>(
    signal: AbortSignal,
    call: (shell: RemoteShell) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const { brev, instanceName, isOn, way } = this.#options;
    const ssh = await way.ssh(signal);
    if (signal.aborted) {
      return cancelled;
    }
    if (ssh !== undefined) {
      const outcome = await call(ssh);
      if (outcome.kind !== 'failed' || !ssh.neverRan(outcome.failure)) {
        return this.#noting(outcome);
      }
      way.fellBack(outcome.failure);
    }
    return this.#noting(await call(new ExecShell(brev, instanceName, isOn)));
  }

  #noting<T>(outcome: Outcome<T>): Outcome<T> {
    if (outcome.kind === 'ok') {
      this.#options.way.reached = true;
    }
    return outcome;
  }
}
