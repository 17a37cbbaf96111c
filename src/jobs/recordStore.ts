import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { Clock } from '../process/clock.ts';
import { sleep } from '../process/clock.ts';
import { takeLease } from '../process/lease.ts';
import type { Redactor } from '../process/redact.ts';
import { replaceFile } from '../process/replaceFile.ts';
import { type ErrorClass, isJobId, type JobRecord, type JobState, jobRecord } from './record.ts';

export interface NewRecord {
  readonly id: string;
  readonly platform: string;
  readonly image: string;
  readonly network: string;
  readonly action: string;
  readonly resultsDir: string;
  /** The job that this one repeats. */
  readonly retryOf?: string;
}

export interface Transition {
  readonly state: JobState;
  readonly message: string;
  readonly backendRef?: string;
  readonly errorClass?: ErrorClass;
}

/** The job records in `<state dir>/jobs`, shared with other windows, agents and scripts. */
export class RecordStore {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #redactor: Redactor;

  constructor(folder: string, clock: Clock, redactor: Redactor) {
    this.#folder = folder;
    this.#clock = clock;
    this.#redactor = redactor;
  }

  /** Writes the record of a job that is about to be launched. Fails if there is one of that id. */
  async open(job: NewRecord): Promise<JobRecord> {
    const now = this.#timestamp();
    const record: JobRecord = {
      schema_version: 1,
      id: job.id,
      platform: job.platform,
      backend_ref: null,
      image: this.#redactor.redact(job.image),
      network_arch: job.network,
      action: job.action,
      results_dir: job.resultsDir,
      // S3, or a disk that is the instance's own
      storage_tier: job.resultsDir.startsWith('s3://') ? 'B' : 'C',
      submitted_at: now,
      transitions: [{ ts: now, state: 'PENDING', message: 'record opened before launch', source: 'poller' }],
      terminal_state: null,
      redacted: true,
      ...(job.retryOf === undefined ? {} : { retry_of: job.retryOf }),
    };
    await mkdir(this.#folder, { recursive: true });
    const draft = await this.#draft(record);
    try {
      // whole from the first moment, and never over another one
      await link(draft, this.#file(job.id));
    } finally {
      await rm(draft, { force: true });
    }
    return record;
  }

  /**
   * Adds a transition. A terminal state stays as it is: later words about such a job are dropped.
   * The same state with the same words is not written twice.
   */
  async mark(id: string, change: Transition): Promise<JobRecord | undefined> {
    if (!existsSync(this.#folder)) {
      return undefined;
    }
    return this.#locked(id, async () => {
      const record = await this.read(id);
      if (record === undefined) {
        return undefined;
      }
      const message = this.#redactor.redact(change.message);
      const last = record.transitions.at(-1);
      const repeated = last?.state === change.state && last.message === message;
      if (record.terminal_state !== null || repeated) {
        return record;
      }
      const terminal =
        change.state === 'COMPLETE' || change.state === 'ERROR' || change.state === 'CANCELED'
          ? change.state
          : undefined;
      const next: JobRecord = {
        ...record,
        backend_ref: change.backendRef ?? record.backend_ref,
        transitions: [
          ...record.transitions,
          { ts: this.#timestamp(), state: change.state, message, source: 'poller' },
        ],
        ...(terminal === undefined ? {} : { terminal_state: terminal, terminal_write_by: 'poller' }),
        ...(change.errorClass === undefined ? {} : { err_class: change.errorClass }),
      };
      await this.#replace(next);
      return next;
    });
  }

  /** Takes back the record of a job of which nothing was ever launched, so that it can be opened again. */
  async withdraw(id: string): Promise<void> {
    if (existsSync(this.#file(id))) {
      await this.#locked(id, () => rm(this.#file(id), { force: true }));
    }
  }

  /** The record, or undefined when there is none that can be read. */
  async read(id: string): Promise<JobRecord | undefined> {
    if (!isJobId(id)) {
      return undefined;
    }
    try {
      const parsed = z.safeParse(jobRecord, JSON.parse(await readFile(this.#file(id), 'utf8')));
      return parsed.success ? parsed.data : undefined;
    } catch {
      // missing, or foreign and unreadable: the caller shows it as unknown
      return undefined;
    }
  }

  /** All records that can be read. */
  async list(): Promise<readonly JobRecord[]> {
    let names: string[];
    try {
      names = await readdir(this.#folder);
    } catch {
      // no job has ever been recorded here
      return [];
    }
    const ids = names
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .map((name) => name.slice(0, -5));
    const records = await Promise.all(ids.map((id) => this.read(id)));
    return records.filter((record) => record !== undefined);
  }

  async #replace(record: JobRecord): Promise<void> {
    const draft = await this.#draft(record);
    try {
      await replaceFile(draft, this.#file(record.id));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** The record in a file of its own, safe on the disk. */
  async #draft(record: JobRecord): Promise<string> {
    const draft = path.join(this.#folder, `.${record.id}.${randomUUID()}.new`);
    const file = await open(draft, 'wx', 0o644);
    try {
      await file.writeFile(serialise(record));
      await file.sync();
    } finally {
      await file.close();
    }
    return draft;
  }

  /** One writer at a time, among all windows: one that was frozen in the middle is waited for, a dead one isn't. */
  async #locked<T>(id: string, action: () => Promise<T>): Promise<T> {
    const file = path.join(this.#folder, `.${id}.lock`);
    let lock = await takeLease(file);
    while (lock === undefined) {
      await sleep(this.#clock, 20);
      lock = await takeLease(file);
    }
    try {
      return await action();
    } finally {
      await lock.release();
    }
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}.json`);
  }

  #timestamp(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

function serialise(record: JobRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
