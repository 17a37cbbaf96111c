import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runWhileExiting } from '../process/runWhileExiting.ts';
import { exitArguments } from './sshArguments.ts';

/**
 * A socket's path may have 103 bytes on macOS, and ssh binds it under a longer name first, 17 bytes more
 * (users.md C, #366).
 */
const MAX_PATH_BYTES = 86;
const LONGEST_NAME = 'brev-4194304-XXXXXX/9999';
const NAME = /^brev-(\d+)-\w{6}$/;

/** A private folder for the sockets of shared ssh connections. Made when the first is needed; nothing outlives it. */
export class ControlFolder {
  readonly #program: string;
  readonly #base: string;
  readonly #sockets = new Set<string>();
  readonly #atExit = (): void => this.#closeNow();
  #folder: Promise<string> | undefined;
  #made: string | undefined;
  #count = 0;

  constructor(program = 'ssh', base = socketBase()) {
    this.#program = program;
    this.#base = base;
  }

  /** A path where no socket has been yet, so that none can be stale. */
  async newSocket(): Promise<string> {
    if (this.#made !== undefined && !existsSync(this.#made)) {
      // temporary folders are swept on some computers
      this.#folder = undefined;
    }
    this.#folder ??= this.#make();
    const socket = path.join(await this.#folder, String(++this.#count));
    this.#sockets.add(socket);
    return socket;
  }

  /** The connection at this socket has ended. */
  async release(socket: string): Promise<void> {
    this.#sockets.delete(socket);
    await rm(socket, { force: true });
  }

  /** Removes the folder; the connections must have been closed. */
  async dispose(): Promise<void> {
    process.off('exit', this.#atExit);
    const folder = await this.#folder;
    this.#folder = undefined;
    this.#made = undefined;
    this.#sockets.clear();
    if (folder !== undefined) {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #make(): Promise<string> {
    await removeAbandoned(this.#base);
    this.#made = await mkdtemp(path.join(this.#base, `brev-${process.pid}-`));
    process.off('exit', this.#atExit);
    process.once('exit', this.#atExit);
    return this.#made;
  }

  /** The process ends without having disposed of this: nothing can be waited for any more. */
  #closeNow(): void {
    for (const socket of [...this.#sockets].filter((each) => existsSync(each))) {
      runWhileExiting(this.#program, exitArguments(socket), 1_000);
    }
    if (this.#made !== undefined) {
      rmSync(this.#made, { recursive: true, force: true });
    }
  }
}

/** The user's temporary folder, unless sockets in it would get a path that ssh can't take. */
export function socketBase(temporary: string = tmpdir()): string {
  const longest = Buffer.byteLength(path.join(temporary, LONGEST_NAME));
  return longest <= MAX_PATH_BYTES && !/["$\s]/.test(temporary) ? temporary : '/tmp';
}

/** Empty folders of windows that were killed: a connection takes its socket along when it ends by itself. */
async function removeAbandoned(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) {
      // not empty yet, or another user's: it stays
      await rmdir(path.join(base, name)).catch(() => undefined);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
