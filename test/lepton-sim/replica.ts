import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';

export interface StoredLine {
  readonly nanoseconds: bigint;
  readonly line: string;
}

let lastNanoseconds = 0n;

/** Times as the store of logs has them: never the same twice. */
function nextNanoseconds(): bigint {
  const now = BigInt(Date.now()) * 1_000_000n;
  lastNanoseconds = now > lastNanoseconds ? now : lastNanoseconds + 1n;
  return lastNanoseconds;
}

/** One container of a job: its command really runs in bash, in a home folder of its own. */
export class Replica {
  readonly id: string;
  readonly node: string;
  readonly lines: StoredLine[] = [];
  readonly #events = new EventEmitter();
  #output = Buffer.alloc(0);
  #lineStart = 0;
  #exitCode: number | undefined;
  #kill: () => void = () => undefined;

  constructor(id: string, node: string) {
    this.id = id;
    this.node = node;
    this.#events.setMaxListeners(0);
  }

  get output(): Buffer {
    return this.#output;
  }

  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Runs the command; resolves with its exit code when its output is complete. */
  run(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    home: string,
  ): Promise<number> {
    mkdirSync(home, { recursive: true });
    const [program = 'true', ...args] = command;
    const child = spawn(program, args, {
      cwd: home,
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', ...environment, HOME: home, TMPDIR: home },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#kill = () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid, 'SIGKILL');
      }
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => this.write(chunk));
    }
    return new Promise((resolve) => {
      child.once('error', () => resolve(this.end(127)));
      child.once('close', (code) => resolve(this.end(code ?? 137)));
    });
  }

  /** Adds to the output, as its program would. */
  write(chunk: Uint8Array): void {
    this.#output = Buffer.concat([this.#output, chunk]);
    for (;;) {
      const newline = this.#output.indexOf(0x0a, this.#lineStart);
      if (newline < 0) break;
      this.#store(newline);
      this.#lineStart = newline + 1;
    }
    this.#events.emit('change');
  }

  end(code: number): number {
    if (this.#exitCode === undefined) {
      if (this.#lineStart < this.#output.length) this.#store(this.#output.length);
      this.#lineStart = this.#output.length;
      this.#exitCode = code;
      this.#events.emit('change');
    }
    return this.#exitCode;
  }

  kill(): void {
    this.#kill();
  }

  onChange(listener: () => void): () => void {
    this.#events.on('change', listener);
    return () => this.#events.off('change', listener);
  }

  #store(end: number): void {
    this.lines.push({
      nanoseconds: nextNanoseconds(),
      line: this.#output.toString('utf8', this.#lineStart, end),
    });
  }
}
