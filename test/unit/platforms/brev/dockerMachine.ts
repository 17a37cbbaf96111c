import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { BrevPlatform } from '../../../../src/platforms/brev/brevPlatform.ts';
import type { FollowEnd, JobSecrets, JobStream, JobTarget } from '../../../../src/platforms/platform.ts';
import { systemClock } from '../../../../src/process/clock.ts';
import type {
  RemoteAnswer,
  RemoteFile,
  RemoteScript,
  RemoteShell,
  RunScriptOptions,
} from '../../../../src/remote/shell.ts';
import type { JobWork } from '../../../../src/tao/runSpec.ts';
import { cancelled, type Outcome, ok } from '../../../../src/values/outcome.ts';
import { temporaryFolder } from '../../process/temporaryFolder.ts';

export const JOB = 'segformer-train-0a1b2c';
export const TARGET: JobTarget = { jobId: JOB, instanceId: 'k3x9', instanceName: 'gpu1' };
export const SPEC: JobWork = {
  kind: 'spec',
  spec: {
    network: 'segformer',
    action: 'train',
    image: 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt',
    gpus: 'all',
    specFile: { name: 'spec.yaml', content: Buffer.from("results_dir: /results\nname: 'it''s'\n") },
  },
};
export const NO_SECRETS: JobSecrets = { environment: new Map(), ngcKey: undefined };

export interface Followed {
  readonly end: FollowEnd;
  readonly log: Buffer;
  readonly status: Buffer;
  readonly steps: readonly string[];
  readonly truncated: readonly JobStream[];
}

/** A machine with a home of its own where the job's scripts run in a real bash, with a docker that is played. */
export class DockerMachine {
  readonly home: string;
  readonly docker: string;
  readonly #bin: string;
  readonly #marker: string;
  readonly platform: BrevPlatform;
  readonly shell: RemoteShell;

  readonly #test: TestContext;

  constructor(t: TestContext) {
    this.#test = t;
    const root = temporaryFolder(t);
    this.#marker = path.basename(root);
    this.home = path.join(root, "home of ' $x");
    this.docker = path.join(root, 'docker');
    this.#bin = path.join(root, 'bin');
    for (const folder of [this.home, this.docker, this.#bin]) {
      mkdirSync(folder);
    }
    this.installDocker();
    this.program('echo "Epoch 1"\n');
    this.shell = new BashShell(() => this.#environment());
    this.platform = new BrevPlatform({ clock: systemClock, shell: async () => ok(this.shell) });
    t.after(() => this.#killAll());
  }

  get folder(): string {
    return path.join(this.home, '.brev-jobs', JOB);
  }

  /** What a file of the job's folder holds; undefined where there is none. */
  file(name: string): string | undefined {
    const file = path.join(this.folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  get log(): Buffer {
    return readFileSync(path.join(this.folder, 'log'));
  }

  /** The container's own folder, in the place of docker's. */
  container(name: string): string | undefined {
    const file = path.join(this.docker, 'containers', JOB, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  /** What the container runs: a bash script, whose $1 is the container's folder. */
  program(text: string): void {
    writeFileSync(path.join(this.docker, 'program'), text);
  }

  /** Switches a fault of the played docker on (see fakeDocker.bash). */
  fault(name: string, text = ''): void {
    writeFileSync(path.join(this.docker, name), text);
  }

  mend(name: string): void {
    rmSync(path.join(this.docker, name), { force: true });
  }

  installDocker(): void {
    const file = path.join(this.#bin, 'docker');
    copyFileSync(path.join(import.meta.dirname, 'fakeDocker.bash'), file);
    chmodSync(file, 0o755);
  }

  /** Puts a program on the PATH, as bash. */
  install(name: string, text: string): void {
    writeFileSync(path.join(this.#bin, name), `#!/usr/bin/env bash\n${text}\n`, { mode: 0o755 });
  }

  /** A machine without docker: only the usual tools are on its PATH. */
  removeDocker(): void {
    rmSync(path.join(this.#bin, 'docker'));
    for (const folder of ['/usr/bin', '/bin']) {
      for (const name of readdirSync(folder)) {
        const link = path.join(this.#bin, name);
        if (!/^(?:docker|sudo)/.test(name) && !existsSync(link)) {
          symlinkSync(path.join(folder, name), link);
        }
      }
    }
    this.#onlyOwnPath = true;
  }

  /** A `sudo -n` that works, which the played docker knows of. */
  installSudo(): void {
    const file = path.join(this.#bin, 'sudo');
    writeFileSync(file, '#!/bin/sh\n[ "$1" = -n ] && shift\nFAKE_SUDO=1 exec "$@"\n');
    chmodSync(file, 0o755);
  }

  #onlyOwnPath = false;

  #environment(): NodeJS.ProcessEnv {
    return {
      HOME: this.home,
      PATH: this.#onlyOwnPath ? this.#bin : `${this.#bin}:/usr/local/bin:/usr/bin:/bin`,
      LANG: 'C.UTF-8',
      FAKE_DOCKER: this.docker,
      DOCKER_MACHINE: this.#marker,
    };
  }

  submit(work: JobWork = SPEC, secrets: JobSecrets = NO_SECRETS) {
    return this.platform.submit({
      target: TARGET,
      work,
      secrets,
      onStep: () => undefined,
      signal: new AbortController().signal,
    });
  }

  cancel() {
    return this.platform.cancel(TARGET, new AbortController().signal);
  }

  /** Follows over one connection, from these bytes on. */
  async follow(offsets = { log: 0, status: 0 }, signal = new AbortController().signal): Promise<Followed> {
    const parts: Record<JobStream, Buffer[]> = { log: [], status: [] };
    const steps: string[] = [];
    const truncated: JobStream[] = [];
    const expected = { ...offsets };
    const end = await this.platform.follow(
      TARGET,
      offsets,
      {
        onBytes: (stream, offset, bytes) => {
          if (offset !== expected[stream]) {
            throw new Error(`${stream}: bytes from ${offset}, not from ${expected[stream]}`);
          }
          expected[stream] += bytes.length;
          parts[stream].push(Buffer.from(bytes));
        },
        onTruncated: (stream) => truncated.push(stream),
        onStep: (step) => steps.push(step),
      },
      signal,
    );
    return { end, log: Buffer.concat(parts.log), status: Buffer.concat(parts.status), steps, truncated };
  }

  /** Waits for processes and files to go on until it is so; the runner's time limit ends it where it never is. */
  async until(isIt: () => boolean): Promise<void> {
    while (!isIt()) {
      this.#test.signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** The processes of this machine, by what they run. */
  processes(pattern: RegExp): number[] {
    return readdirSync('/proc').flatMap((name) => {
      const pid = Number(name);
      return Number.isInteger(pid) &&
        this.#isOurs(pid) &&
        pattern.test(read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))
        ? [pid]
        : [];
    });
  }

  #isOurs(pid: number): boolean {
    return read(`/proc/${pid}/environ`).split('\0').includes(`DOCKER_MACHINE=${this.#marker}`);
  }

  async #killAll(): Promise<void> {
    for (let pids = this.processes(/./); pids.length > 0; pids = this.processes(/./)) {
      for (const pid of pids) {
        kill(pid);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // the process ended meanwhile
    return '';
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
      throw error;
    }
  }
}

/** A shell whose route is no route at all: scripts run here, as on the instance. */
class BashShell implements RemoteShell {
  readonly route = 'ssh';
  readonly #environment: () => NodeJS.ProcessEnv;

  constructor(environment: () => NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  async run(script: RemoteScript, options: RunScriptOptions): Promise<Outcome<RemoteAnswer>> {
    const child = this.#bash(script, options.input);
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    const [code] = await once(child, 'close');
    return ok({ exitCode: Number(code), stdout: Buffer.concat(chunks).toString() });
  }

  async upload(files: readonly RemoteFile[]): Promise<Outcome<void>> {
    const home = this.#environment().HOME ?? '';
    for (const { path: name, content } of files) {
      const file = path.join(home, name);
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      // a new file each time: a shell that runs the old one goes on reading it
      writeFileSync(`${file}.new`, content, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    }
    return ok(undefined);
  }

  download(): Promise<Outcome<number>> {
    return Promise.reject(new Error('not played'));
  }

  async stream(
    script: RemoteScript,
    onStdout: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<Outcome<void>> {
    const child = this.#bash(script);
    const stop = (): void => {
      child.kill('SIGKILL');
      child.stdout?.destroy();
    };
    signal.addEventListener('abort', stop);
    child.stdout?.on('data', onStdout);
    await once(child, 'close');
    signal.removeEventListener('abort', stop);
    return signal.aborted ? cancelled : ok(undefined);
  }

  #bash({ text, args }: RemoteScript, input?: Uint8Array): ChildProcess {
    const env = this.#environment();
    // from a file: with a socket as stdin bash takes itself for a login and reads its start-up files
    const file = path.join(env.HOME ?? '', '.input');
    if (input !== undefined) {
      writeFileSync(file, input, { mode: 0o600 });
    }
    const stdin = openSync(input === undefined ? '/dev/null' : file, 'r');
    try {
      return spawn('/bin/bash', ['-c', text, 'brev-instances', ...args], {
        cwd: '/',
        env,
        stdio: [stdin, 'pipe', 'ignore'],
      });
    } finally {
      closeSync(stdin);
      rmSync(file, { force: true });
    }
  }
}
