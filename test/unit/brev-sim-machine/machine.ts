import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { launcher } from '../../brev-sim/cloud/machine.ts';
import { builtPrograms } from '../../brev-sim/cloud/programs.ts';
import { errorCode } from '../../brev-sim/machine/json.ts';

const PROGRAMS = await builtPrograms(join(import.meta.dirname, '../../brev-sim'));

export const TAO_IMAGE = 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt';

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** The bytes of stdout as they came. */
  bytes: Buffer;
}

export interface RunOptions {
  env?: Record<string, string>;
  stdin?: string;
}

/** A program that still runs: its output so far, and a wait for more of it. */
export interface Live {
  pid: number;
  /** Settles when stdout contains the text; fails when the program ends without it. */
  until(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  done: Promise<Outcome>;
}

/** A simulated machine in a fresh folder, with its programs as real executables. */
export class Machine {
  readonly dir = mkdtempSync(join(tmpdir(), 'brev-machine-'));
  readonly home = join(this.dir, 'home');
  private readonly env: Record<string, string>;

  constructor(speed = 200) {
    for (const folder of [this.home, join(this.dir, 'bin')]) mkdirSync(folder);
    for (const tool of ['docker', 'nvidia-smi', 'sudo']) {
      const path = join(this.dir, 'bin', tool);
      writeFileSync(path, launcher({ nodePath: process.execPath, programs: PROGRAMS }, tool));
      chmodSync(path, 0o755);
    }
    this.write('machine.json', { gpuName: 'NVIDIA L40S', gpuCount: 2, vramMb: 46068, driver: '580.95.05' });
    this.env = {
      PATH: `${join(this.dir, 'bin')}:/usr/sbin:/usr/bin:/sbin:/bin`,
      HOME: this.home,
      BREV_SIM_MACHINE: this.dir,
      BREV_SIM_SPEED: String(speed),
    };
  }

  /** Writes a file of the machine's state folder; what isn't text is JSON. */
  write(path: string, content: unknown): string {
    const full = join(this.dir, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
    return full;
  }

  remove(path: string): void {
    rmSync(join(this.dir, path), { recursive: true, force: true });
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  start(program: string, args: string[], { env = {}, stdin }: RunOptions = {}): Live {
    const child = spawn(program, args, {
      env: { ...this.env, ...env },
      cwd: this.home,
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.end(stdin);
    const chunks: Buffer[] = [];
    const errors: Buffer[] = [];
    const waiting = new Set<() => void>();
    const notify = (): void => {
      for (const check of waiting) check();
    };
    child.stdout?.on('data', (bytes: Buffer) => {
      chunks.push(bytes);
      notify();
    });
    child.stderr?.on('data', (bytes: Buffer) => errors.push(bytes));
    let ended = false;
    const done = new Promise<Outcome>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        ended = true;
        const bytes = Buffer.concat(chunks);
        resolve({ code, signal, stdout: bytes.toString(), stderr: Buffer.concat(errors).toString(), bytes });
        notify();
      });
    });
    const until = async (text: string): Promise<void> =>
      await new Promise((resolve, reject) => {
        const check = (): void => {
          const found = Buffer.concat(chunks).includes(text);
          if (!found && !ended) return;
          waiting.delete(check);
          if (found) resolve();
          else reject(new Error(`${program} ended without ${JSON.stringify(text)}`));
        };
        waiting.add(check);
        check();
      });
    return { pid: child.pid ?? 0, until, kill: (signal) => child.kill(signal), done };
  }

  async run(program: string, args: string[], options?: RunOptions): Promise<Outcome> {
    return await this.start(program, args, options).done;
  }

  async docker(...args: string[]): Promise<Outcome> {
    return await this.run('docker', args);
  }

  /** One field of `docker inspect`. */
  async inspect(name: string, template: string): Promise<string> {
    return (await this.docker('inspect', '--format', template, name)).stdout.trimEnd();
  }

  /** Lets every image be used at once: neither login nor pulling is what a test is about. */
  withImages(): this {
    this.write('registry.json', { public: ['nvcr.io/'], pullSeconds: 0 });
    return this;
  }

  /** A named pipe in the home: what runs in a container waits for it, a test opens it. */
  gate(name: string): Gate {
    const path = join(this.home, name);
    execFileSync('mkfifo', [path]);
    return { path, open: () => writeFile(path, 'go\n') };
  }

  /** The processes that belong to this machine, or those of them that are in a container. */
  processes(only: 'all' | 'contained' = 'all'): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter((name) => {
        const env = environmentOf(name);
        const contained = env.some((pair) => pair.startsWith('BREV_SIM_CONTAINER='));
        return env.includes(`BREV_SIM_MACHINE=${this.dir}`) && (only === 'all' || contained);
      })
      .map(Number);
  }

  killAll(signal: NodeJS.Signals = 'SIGKILL'): void {
    for (const pid of this.processes()) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        if (errorCode(error) !== 'ESRCH') throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    this.killAll();
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface Gate {
  path: string;
  open(): Promise<void>;
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errorCode(error))) return [];
    throw error;
  }
}
