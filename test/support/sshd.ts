import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './freePort.ts';
import { findSshd } from './openssh-server.ts';
import { descendants, type Process, processes, signal } from './process-tree.ts';
import { type Listener, startListener } from './sshd-listener.ts';

const run = promisify(execFile);

export interface SshdOptions {
  /** The folder of a machine: its home is `home` in it, its own programs are in `bin`. Default: a fresh one. */
  readonly machine?: string;
  /** What else stands in the environment of its commands; a PATH here replaces the usual one. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What the machine calls itself, by a `hostname` of its own. */
  readonly hostName?: string;
  /** Stands in for the user's login shell, such as /bin/dash. */
  readonly loginShell?: string;
  /** Further lines of sshd_config, such as `MaxSessions 2`. */
  readonly config?: readonly string[];
}

/** Starts a server with keys, configuration and port of its own; takes about 0.1 s. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const program = await findSshd();
  const folder = await mkdtemp(path.join(tmpdir(), 'brev-sshd-'));
  const machine = options.machine ?? path.join(folder, 'machine');
  await mkdir(path.join(machine, 'home'), { recursive: true });
  await mkdir(path.join(machine, 'bin'), { recursive: true });
  await Promise.all(['host', 'id'].map((name) => makeKey(path.join(folder, name))));
  if (options.hostName !== undefined) {
    await writeProgram(path.join(machine, 'bin/hostname'), `echo '${options.hostName}'`);
  }
  if (options.loginShell !== undefined) {
    await writeProgram(path.join(folder, 'login'), `exec ${options.loginShell} -c "$SSH_ORIGINAL_COMMAND"`);
  }
  const sshd = new Sshd(program, folder, machine, options);
  await sshd.authorise(await readFile(`${sshd.keyFile}.pub`, 'utf8'));
  // somebody may take the port between the look and the start
  for (let attempt = 1; ; attempt++) {
    try {
      await sshd.accept(await freePort());
      return sshd;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

/** A real OpenSSH server on the loopback interface that plays one machine. It reads and writes nothing of ~/.ssh. */
export class Sshd {
  readonly user = userInfo().username;
  readonly machine: string;
  readonly home: string;
  /** The private key that it lets in. */
  readonly keyFile: string;
  readonly #program: string;
  readonly #folder: string;
  readonly #options: SshdOptions;
  readonly #held = new Set<number>();
  #listener: Listener | undefined;
  #port = 0;

  constructor(program: string, folder: string, machine: string, options: SshdOptions) {
    this.#program = program;
    this.#folder = folder;
    this.#options = options;
    this.machine = machine;
    this.home = path.join(machine, 'home');
    this.keyFile = path.join(folder, 'id');
  }

  get port(): number {
    return this.#port;
  }

  /** The processes that hold its connections, commands not included. */
  connections(): number[] {
    const all = processes();
    for (const { pid, parent } of all) if (parent === this.#listener?.pid) this.#held.add(pid);
    // a connection outlives its listener; a number may be another program's by now
    const alive = new Set(all.filter(isSshd).map(({ pid }) => pid));
    for (const pid of this.#held) if (!alive.has(pid)) this.#held.delete(pid);
    return [...this.#held];
  }

  /** What runs on the machine by way of a connection that still stands. */
  commands(): Process[] {
    const held = this.connections();
    return held.flatMap((pid) => descendants(pid)).filter(({ pid }) => !held.includes(pid));
  }

  /** Ends all connections without a word, as a lost network does; their commands live on. */
  drop(): void {
    for (const pid of this.connections()) signal(pid, 'SIGKILL');
  }

  /** Stops the server in its tracks: what is sent to it is taken, and nothing comes back. */
  freeze(): void {
    this.#all('SIGSTOP');
  }

  thaw(): void {
    this.#all('SIGCONT');
  }

  /** Nobody listens on the port any more; connections live on. */
  async refuse(): Promise<void> {
    this.connections();
    await this.#listener?.close();
    this.#listener = undefined;
  }

  /** Listens, on the same port again unless told another. */
  async accept(port = this.#port): Promise<void> {
    const file = path.join(this.#folder, 'sshd_config');
    await writeFile(file, this.#configuration(port));
    this.#listener = await startListener(this.#program, file);
    this.#port = port;
  }

  /** From now on lets in whoever has this key, and nobody else. */
  async authorise(publicKey: string): Promise<void> {
    await writeFile(path.join(this.#folder, 'authorized_keys'), publicKey, { mode: 0o600 });
  }

  /** Ends everything that came by way of this server, and removes its files. */
  async dispose(): Promise<void> {
    const commands = this.commands();
    this.drop();
    await this.refuse();
    for (const { pid } of commands) signal(pid, 'SIGKILL');
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #all(name: NodeJS.Signals): void {
    const held = this.connections();
    for (const process of processes()) {
      // a number may be another program's by now
      const ours = process.pid === this.#listener?.pid || held.includes(process.pid);
      if (ours && isSshd(process)) signal(process.pid, name);
    }
  }

  #configuration(port: number): string {
    const environment = {
      HOME: this.home,
      SHELL: this.#options.loginShell ?? '/bin/bash',
      PATH: `${path.join(this.machine, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
      LANG: 'C.UTF-8',
      BREV_SIM_MACHINE: this.machine,
      ...this.#options.environment,
    };
    const lines = [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${path.join(this.#folder, 'host')}`,
      `AuthorizedKeysFile ${path.join(this.#folder, 'authorized_keys')}`,
      'PidFile none',
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      // the default one takes a third of the time to connect
      'KexAlgorithms curve25519-sha256',
      'PermitRootLogin prohibit-password',
      'PermitUserRC no',
      `Subsystem sftp internal-sftp`,
      `SetEnv ${Object.entries(environment)
        .map(([name, value]) => `"${name}=${value}"`)
        .join(' ')}`,
      ...(this.#options.loginShell === undefined ? [] : [`ForceCommand ${path.join(this.#folder, 'login')}`]),
      ...(this.#options.config ?? []),
    ];
    return `${lines.join('\n')}\n`;
  }
}

async function makeKey(file: string): Promise<void> {
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'brev-instances test', '-f', file]);
}

async function writeProgram(file: string, text: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
}

/** It calls itself `sshd: …` only a while after it has begun to listen. */
function isSshd({ command }: Process): boolean {
  return /^(?:\S*\/)?sshd/.test(command);
}
