import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import * as vscode from 'vscode';
import { isTerminal, type Job, type Jobs } from '../../jobs/jobs.ts';
import { LogText } from '../../jobs/logText.ts';

/** How often the local copy is looked at while its channel is open. */
const LOOK_MS = 200;
/** How long an unfinished line may wait. */
const FLUSH_MS = 800;
/** A channel begins at the tail of a log that is longer; all of it is in the file. */
const TAIL_BYTES = 2 * 1024 * 1024;
const MAX_READ = 1024 * 1024;

/** The output channels of the jobs. They show the local copy of each log, whichever window follows the job. */
export class JobLogs implements vscode.Disposable {
  readonly #jobs: Jobs;
  readonly #open = new Map<string, OpenLog>();
  readonly #unsubscribe: () => void;

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
    this.#unsubscribe = jobs.onEnd(({ job }) => this.#open.get(job.details.id)?.look());
  }

  /** Shows a job's log without taking the focus. */
  show(job: Job): void {
    const { id } = job.details;
    let log = this.#open.get(id);
    if (log === undefined) {
      log = new OpenLog(this.#jobs, id);
      this.#open.set(id, log);
    }
    log.channel.show(true);
  }

  dispose(): void {
    this.#unsubscribe();
    for (const log of this.#open.values()) {
      log.dispose();
    }
  }
}

class OpenLog {
  readonly channel: vscode.OutputChannel;
  readonly #jobs: Jobs;
  readonly #id: string;
  readonly #text = new LogText();
  #offset: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unflushedSince: number | undefined;

  constructor(jobs: Jobs, id: string) {
    this.#jobs = jobs;
    this.#id = id;
    this.channel = vscode.window.createOutputChannel(`Brev: ${id}`, 'log');
    this.look();
  }

  /** Appends what is new, and looks again later while more may come. */
  look(): void {
    clearTimeout(this.#timer);
    this.#read();
    const job = this.#jobs.find(this.#id);
    if (job === undefined || isTerminal(job.state)) {
      this.channel.append(this.#text.flush());
      return;
    }
    this.#timer = setTimeout(() => this.look(), LOOK_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.channel.dispose();
  }

  #read(): void {
    let descriptor: number;
    try {
      descriptor = openSync(this.#jobs.logFile(this.#id), 'r');
    } catch {
      // nothing has arrived yet
      return;
    }
    try {
      const { size } = fstatSync(descriptor);
      if (this.#offset === undefined) {
        this.#offset = Math.max(0, size - TAIL_BYTES);
        if (this.#offset > 0) {
          this.channel.appendLine(
            vscode.l10n.t('… the first {0} bytes are in {1}', this.#offset, this.#jobs.logFile(this.#id)),
          );
        }
      }
      let text = '';
      const buffer = Buffer.alloc(Math.min(MAX_READ, Math.max(0, size - this.#offset)));
      while (this.#offset < size) {
        const count = readSync(descriptor, buffer, 0, buffer.length, this.#offset);
        if (count === 0) {
          break;
        }
        this.#offset += count;
        text += this.#text.push(buffer.subarray(0, count));
      }
      this.#append(text);
    } finally {
      closeSync(descriptor);
    }
  }

  #append(text: string): void {
    const now = Date.now();
    if (text !== '') {
      this.channel.append(text);
    }
    this.#unflushedSince ??= now;
    if (now - this.#unflushedSince >= FLUSH_MS) {
      this.channel.append(this.#text.flush());
      this.#unflushedSince = undefined;
    }
  }
}
