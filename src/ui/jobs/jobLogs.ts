import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { LogText } from '../../jobs/logText.ts';
import type { Redactor } from '../../process/redact.ts';
import { RedactedStream } from '../../process/redactedStream.ts';

/** How often the local copy is looked at while its channel is open. */
const LOOK_MS = 200;
/** How long an unfinished line may wait. */
const FLUSH_MS = 800;
/** A channel begins at the tail of a log that is longer; all of it is in the file. */
const TAIL_BYTES = 2 * 1024 * 1024;
/** Read and appended at once; between two batches the window gets its turn. */
const MAX_READ = 256 * 1024;
/** More than that in arrears is skipped in the channel. */
const MAX_BACKLOG = 16 * 1024 * 1024;
/** The logs that are there again after the window was reloaded, in the order in which they were opened. */
const OPEN = 'jobLogs.open';
const MAX_REOPENED = 3;

/** The output channels of the jobs. They show the local copy of each log, whichever window follows the job. */
export class JobLogs implements vscode.Disposable {
  readonly #jobs: Jobs;
  readonly #redactor: Redactor;
  readonly #memory: vscode.Memento;
  readonly #open = new Map<string, OpenLog>();
  readonly #unsubscribe: () => void;

  /** @param memory of the workspace: its windows show their logs, others theirs */
  constructor(jobs: Jobs, redactor: Redactor, memory: vscode.Memento) {
    this.#jobs = jobs;
    this.#redactor = redactor;
    this.#memory = memory;
    this.#unsubscribe = jobs.onEnd(({ job }) => this.#open.get(job.details.id)?.look());
  }

  /** Shows a job's log without taking the focus. */
  show(job: Job): void {
    this.#log(job.details.id).channel.show(true);
    void this.#memory.update(OPEN, [...this.#open.keys()].slice(-MAX_REOPENED));
  }

  /** Opens the logs that were open before the window was reloaded. The one that was seen then VS Code shows itself. */
  async reopen(): Promise<void> {
    await this.#jobs.resume();
    for (const id of this.#memory.get<readonly string[]>(OPEN, [])) {
      if (this.#jobs.find(id) !== undefined) {
        this.#log(id);
      }
    }
  }

  #log(id: string): OpenLog {
    const log = this.#open.get(id) ?? new OpenLog(this.#jobs, id, new RedactedStream(this.#redactor));
    this.#open.set(id, log);
    return log;
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
  readonly #redacted: RedactedStream;
  #offset: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unflushedSince: number | undefined;

  constructor(jobs: Jobs, id: string, redacted: RedactedStream) {
    this.#jobs = jobs;
    this.#id = id;
    this.#redacted = redacted;
    this.channel = vscode.window.createOutputChannel(`Brev: ${id}`, 'log');
    this.look();
  }

  /** Appends what is new, and looks again later while more may come. */
  look(): void {
    clearTimeout(this.#timer);
    const more = this.#read();
    const job = this.#jobs.find(this.#id);
    if (!more && (job === undefined || isTerminal(job.state))) {
      this.channel.append(this.#redacted.push(this.#text.flush()) + this.#redacted.end());
      return;
    }
    this.#timer = setTimeout(() => this.look(), more ? 0 : LOOK_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.channel.dispose();
  }

  /** Appends one batch; true when there is more at once. */
  #read(): boolean {
    let descriptor: number;
    try {
      descriptor = openSync(this.#jobs.logFile(this.#id), 'r');
    } catch {
      // nothing has arrived yet
      return false;
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
      if (size - this.#offset > MAX_BACKLOG) {
        // a flood: a person reads its end, and all of it is in the file
        const skipped = size - TAIL_BYTES - this.#offset;
        this.#offset += skipped;
        this.channel.append(
          `\n${vscode.l10n.t('… {0} bytes are only in {1}', skipped, this.#jobs.logFile(this.#id))}\n`,
        );
      }
      const buffer = Buffer.alloc(Math.min(MAX_READ, Math.max(0, size - this.#offset)));
      const count = buffer.length === 0 ? 0 : readSync(descriptor, buffer, 0, buffer.length, this.#offset);
      this.#offset += count;
      this.#append(this.#text.push(buffer.subarray(0, count)));
      return this.#offset < size;
    } finally {
      closeSync(descriptor);
    }
  }

  #append(text: string): void {
    const now = Date.now();
    const shown = this.#redacted.push(text);
    if (shown !== '') {
      this.channel.append(shown);
    }
    this.#unflushedSince ??= now;
    if (now - this.#unflushedSince >= FLUSH_MS) {
      this.channel.append(this.#redacted.push(this.#text.flush()) + this.#redacted.flush());
      this.#unflushedSince = undefined;
    }
  }
}
