import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, mkdtemp, realpath, rename, rm, statfs, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { ResultFile, ResultLink } from '../platforms/results.ts';
import { errorCode } from '../process/errorCode.ts';
import { type Message, message } from '../values/message.ts';

/** The folder on this computer that gets a job's results. What is half-written lies apart, under no name of theirs. */
export class ResultsFolder {
  readonly folder: string;
  readonly #root: string;
  readonly #staging: string;
  readonly #windows: boolean;
  #staged = 0;

  private constructor(folder: string, root: string, staging: string, windows: boolean) {
    this.folder = folder;
    this.#root = root;
    this.#staging = staging;
    this.#windows = windows;
  }

  static async open(folder: string, platform: NodeJS.Platform): Promise<ResultsFolder> {
    await mkdir(folder, { recursive: true });
    const root = await realpath(folder);
    // beside the results, so that a rename moves them; gone when this is closed
    const staging = await mkdtemp(path.join(root, '.download-'));
    return new ResultsFolder(folder, root, staging, platform === 'win32');
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#root);
    return bavail * bsize;
  }

  /** Whether there is a file of this size and sum already. */
  async has(file: ResultFile, sha256: string): Promise<boolean> {
    return (await this.hasSize(file)) && (await sha256Of(this.#place(file.path))) === sha256;
  }

  async hasSize({ path: name, bytes }: ResultFile): Promise<boolean> {
    try {
      const there = await lstat(this.#place(name));
      return there.isFile() && there.size === bytes;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') {
        return false;
      }
      throw error;
    }
  }

  /** A path to write to before `keep`. */
  stage(): string {
    return path.join(this.#staging, String(this.#staged++));
  }

  /** Gives a file that is whole its name, and the time at which the job wrote it. */
  async keep(staged: string, file: ResultFile): Promise<void> {
    const place = await this.#prepared(file.path);
    await utimes(staged, new Date(file.modified), new Date(file.modified));
    await rename(staged, place);
  }

  /** Makes a link as the job had it. False where this computer has none. */
  async link({ path: name, target = '' }: ResultLink): Promise<boolean> {
    if (this.#windows) {
      return false;
    }
    const place = await this.#prepared(name);
    const staged = this.stage();
    await symlink(path.posix.relative(path.posix.dirname(name), target) || '.', staged);
    await rename(staged, place);
    return true;
  }

  async close(): Promise<void> {
    await rm(this.#staging, { recursive: true, force: true });
  }

  /** The place of a name; its folders exist then, and none of them leads elsewhere by a link that lay there. */
  async #prepared(name: string): Promise<string> {
    const place = this.#place(name);
    const parent = path.dirname(place);
    await mkdir(parent, { recursive: true });
    if ((await realpath(parent)) !== parent) {
      throw new Error(`${parent} is a link, or lies behind one`);
    }
    return place;
  }

  #place(name: string): string {
    return path.join(this.#root, ...name.split('/'));
  }
}

/** Why one of these names can't be a file's here; undefined when all can. */
export function nameProblem(names: readonly string[], platform: NodeJS.Platform): Message | undefined {
  const odd = names.find((name) => !isPossible(name, platform));
  if (odd !== undefined) {
    return message('{0} is no possible name on this computer. Rename it on the instance.', odd);
  }
  const taken = new Map<string, string>();
  for (const name of platform === 'darwin' || platform === 'win32' ? names : []) {
    const folded = name.normalize('NFC').toLowerCase();
    const other = taken.get(folded);
    if (other !== undefined) {
      return message(
        '{0} and {1} are the same name on this computer. Rename one on the instance.',
        other,
        name,
      );
    }
    taken.set(folded, name);
  }
  return undefined;
}

function isPossible(name: string, platform: NodeJS.Platform): boolean {
  return name.split('/').every((part) => {
    const plain = part !== '' && part !== '.' && part !== '..' && !part.includes('\0');
    return (
      plain &&
      (platform !== 'win32' ||
        (!/[<>:"|?*\\]|[. ]$/.test(part) &&
          ![...part].some((character) => character < ' ') &&
          !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(part)))
    );
  });
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk);
  }
  return hash.digest('hex');
}
