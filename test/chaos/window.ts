import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { deferred } from '../support/deferred.ts';
import type { HostEvent, HostOrder, HostSettings } from './hostMessages.ts';
import { signal } from './processes.ts';

/** A window of the extension, as a process. */
export class Window {
  readonly number: number;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #ready = deferred<void>();
  #expected = false;
  #ended = false;

  constructor(
    number: number,
    settings: HostSettings,
    options: {
      readonly program: string;
      readonly environment: Readonly<Record<string, string>>;
      readonly onEvent: (event: HostEvent, window: Window) => void;
      readonly onCrash: (words: string) => void;
    },
  ) {
    this.number = number;
    this.#child = spawn(process.execPath, [options.program, JSON.stringify(settings)], {
      env: { ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#exited = once(this.#child, 'exit').then(() => {
      this.#ended = true;
      this.#ready.resolve(undefined);
    });
    let errors = '';
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    this.#child.stdin?.on('error', () => undefined);
    if (this.#child.stdout !== null) {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        const event: HostEvent = JSON.parse(line);
        if (event.kind === 'ready') this.#ready.resolve(undefined);
        options.onEvent(event, this);
      });
    }
    this.#child.once('close', (code, name) => {
      if (!this.#expected) options.onCrash(`window ${number} ended with ${code ?? name}: ${errors}`);
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get alive(): boolean {
    return !this.#ended && !this.#expected;
  }

  /** Settles when it has looked at the jobs of earlier windows, or has ended before that. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  order(order: HostOrder): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  /** As a crash ends it: what it started may go on. */
  async kill(): Promise<void> {
    this.#expected = true;
    signal(this.pid, 'SIGKILL');
    await this.#exited;
  }

  /** As closing it ends it. */
  async quit(): Promise<void> {
    if (!this.alive) return;
    this.#expected = true;
    signal(this.pid, 'SIGCONT');
    this.order({ kind: 'quit' });
    await this.#exited;
  }
}
