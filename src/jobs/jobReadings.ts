import { type FileHandle, open } from 'node:fs/promises';
import { RunReading } from '../tao/run/runReading.ts';
import { isTerminal, type Job } from './job.ts';
import type { Jobs } from './jobs.ts';

/** Read at once; between two pieces others get their turn. */
const PIECE_BYTES = 1024 * 1024;

interface Entry {
  readonly reading: RunReading;
  readonly offsets: { log: number; status: number };
  ended: boolean;
  running: Promise<void>;
}

/** What the logs of the jobs say: each local copy is read once, as it grows. */
export class JobReadings {
  readonly #jobs: Pick<Jobs, 'logFile' | 'statusFile'>;
  readonly #entries = new Map<string, Entry>();

  constructor(jobs: Pick<Jobs, 'logFile' | 'statusFile'>) {
    this.#jobs = jobs;
  }

  /** How a job stands, with all that has arrived of it. Calls at the same time share the work. */
  async read(job: Job): Promise<RunReading> {
    const { action, id } = job.details;
    const entry = this.#entries.get(id) ?? {
      reading: new RunReading({ action }),
      offsets: { log: 0, status: 0 },
      ended: false,
      running: Promise.resolve(),
    };
    this.#entries.set(id, entry);
    entry.running = entry.running.then(() => this.#catchUp(job, entry));
    await entry.running;
    return entry.reading;
  }

  async #catchUp(job: Job, entry: Entry): Promise<void> {
    if (entry.ended) {
      return;
    }
    const { id } = job.details;
    const { offsets, reading } = entry;
    // looked at before the files: an ended job writes nothing more
    const complete = isTerminal(job.state);
    offsets.log = await readOn(this.#jobs.logFile(id), offsets.log, (bytes) => reading.pushLog(bytes));
    offsets.status = await readOn(this.#jobs.statusFile(id), offsets.status, (bytes) =>
      reading.pushStatus(bytes),
    );
    if (complete) {
      reading.end();
      entry.ended = true;
    }
  }
}

/** Hands over what a file has from an offset on; gives the new offset. */
async function readOn(file: string, from: number, take: (bytes: Uint8Array) => void): Promise<number> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch {
    // nothing has arrived yet
    return from;
  }
  try {
    const buffer = Buffer.alloc(PIECE_BYTES);
    let offset = from;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
      if (bytesRead === 0) {
        return offset;
      }
      take(buffer.subarray(0, bytesRead));
      offset += bytesRead;
    }
  } finally {
    await handle.close();
  }
}
