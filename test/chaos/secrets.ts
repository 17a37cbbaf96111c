import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readProcess } from './processes.ts';

/** Every secret of every schedule begins so; nothing else does. */
const CANARY = 'cAnArY7Q';

export interface Canaries {
  readonly token: string;
  readonly key: string;
  readonly ngcKey: string;
}

/** Secrets that are known when they are seen. The second one needs quoting wherever a shell reads it. */
export function canariesOf(seed: number): Canaries {
  return {
    token: `hf_${CANARY}a${seed}`,
    key: `it's $(a) "${CANARY}b${seed}" \\ secret\n2`,
    ngcKey: `nvapi-${CANARY}c${seed}`,
  };
}

/** A secret where none may be. */
export interface Leak {
  readonly seed: number;
  readonly where: string;
}

const FOUND = new RegExp(`${CANARY}[abc](\\d+)`, 'g');

/**
 * Looks at the command lines and environments of all processes, again and again. A secret may stand in the environment
 * of the program that it is for, and nowhere else.
 */
export class ProcessWatch {
  readonly leaks: Leak[] = [];
  /** How often one was seen where it may be: proof that it would be seen elsewhere too. */
  sightings = 0;
  /** How often a process was looked at: it changes its words when it becomes another program. */
  readonly #seen = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(everyMs = 60) {
    this.#timer = setInterval(() => this.#look(), everyMs);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const present = new Set<number>();
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      if (!Number.isInteger(pid) || pid === process.pid) continue;
      present.add(pid);
      const looks = (this.#seen.get(pid) ?? 0) + 1;
      this.#seen.set(pid, looks);
      if (looks <= 3 || looks % 30 === 0) this.#lookAt(pid);
    }
    for (const pid of this.#seen.keys()) if (!present.has(pid)) this.#seen.delete(pid);
  }

  #lookAt(pid: number): void {
    const command = readProcess(pid, 'cmdline');
    for (const [, seed] of command.matchAll(FOUND)) {
      this.leaks.push({ seed: Number(seed), where: `command line of ${pid}: ${command.slice(0, 500)}` });
    }
    const environment = readProcess(pid, 'environ');
    for (const [, seed] of environment.matchAll(FOUND)) {
      if (environment.includes('BREV_SIM_CONTAINER=') || isPlainCommand(command) || isOfPlainCommand(pid)) {
        this.sightings++;
      } else {
        this.leaks.push({ seed: Number(seed), where: `environment of ${pid}: ${command.slice(0, 500)}` });
      }
    }
  }
}

/** By the words that it was seen with: by now it may be dying, and have none. */
function isPlainCommand(command: string): boolean {
  return /\.brev-jobs\/[^/]+\/command\0/.test(command) || /\/data\/program\0/.test(command);
}

/** Whether a process is a job's plain command, or was started by it. */
function isOfPlainCommand(pid: number): boolean {
  for (let each = pid; each > 1; ) {
    const command = readProcess(each, 'cmdline');
    if (isPlainCommand(command)) return true;
    const stat = readProcess(each, 'stat');
    each = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
  }
  // gone meanwhile: nothing can be said about it
  return readProcess(pid, 'stat') === '';
}

/** The files below a folder that hold a secret of this seed, in clear or as base64 has it. */
export function filesWithSecrets(folder: string, seed: number): string[] {
  const needles = Object.values(canariesOf(seed)).flatMap((secret) => [
    Buffer.from(`${CANARY}${/[abc]\d+/.exec(secret.slice(secret.indexOf(CANARY) + CANARY.length))?.[0]}`),
    ...[0, 1, 2].map((shift) => base64Within(`$oauthtoken:${secret}`, shift)),
    ...[0, 1, 2].map((shift) => base64Within(secret, shift)),
  ]);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const content = readIfThere(file);
      return needles.some((needle) => content.includes(needle));
    });
}

/** What is the same in base64 wherever the text stands in what was encoded. */
function base64Within(text: string, shift: number): Buffer {
  const encoded = Buffer.from(`${'x'.repeat(shift)}${text}`).toString('base64');
  return Buffer.from(encoded.slice(4, -4));
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
