import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { leptonPlacement } from '../platforms/lepton/placement.ts';
import { s3Copy } from '../platforms/s3Copy.ts';
import { errorCode } from '../process/errorCode.ts';
import { replaceFile } from '../process/replaceFile.ts';
import type { JobWork } from '../tao/runSpec.ts';

/** Stands in a record where a container's network would. */
export const COMMAND = 'command';

/** What this extension knows of a job beyond its record. */
const jobDetails = z.object({
  id: z.string(),
  platform: z.string(),
  instanceId: z.string(),
  instanceName: z.string(),
  /** The spec file's path or URI on this computer, to open it again. */
  specUri: z.string(),
  network: z.string(),
  action: z.string(),
  image: z.string(),
  gpus: z.union([z.literal('all'), z.number()]),
  /** Where on Lepton, and with what; to run it again. */
  placement: z.optional(leptonPlacement),
  /** What a spec's container gets from S3. */
  inputs: z.optional(z.readonly(z.array(s3Copy))),
  submittedAt: z.number(),
});

export type JobDetails = z.infer<typeof jobDetails>;

/** The local folders of the jobs: details, the copy of the log, the lease. All windows share them. */
export class JobFolders {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  folder(id: string): string {
    return path.join(this.#root, id);
  }

  /** The byte-exact copy of the job's log. */
  logFile(id: string): string {
    return path.join(this.folder(id), 'log');
  }

  /** The byte-exact copy of TAO's status.json. */
  statusFile(id: string): string {
    return path.join(this.folder(id), 'status.json');
  }

  /** What the platform keeps about its own copy of the log, beside it. */
  cursorFile(id: string): string {
    return path.join(this.folder(id), 'cursor');
  }

  leaseFile(id: string): string {
    return path.join(this.folder(id), 'lease');
  }

  /** Makes the folder; without details it stands for no job yet. */
  async make(id: string): Promise<void> {
    await mkdir(this.folder(id), { recursive: true, mode: 0o700 });
  }

  /** Keeps what the job does, so that it can be run again. */
  async create(details: JobDetails, work: JobWork): Promise<void> {
    await this.make(details.id);
    const content = work.kind === 'spec' ? work.spec.specFile.content : work.command;
    await writeFile(path.join(this.folder(details.id), work.kind), content);
    await this.#writeDetails(details);
  }

  /** Keeps what is known of a job that somebody else submitted: it can be followed, not run again. */
  async adopt(details: JobDetails): Promise<void> {
    await this.make(details.id);
    await this.#writeDetails(details);
  }

  /** Last and whole: other windows take a folder with details for a job. */
  async #writeDetails(details: JobDetails): Promise<void> {
    const draft = path.join(this.folder(details.id), 'job.json.new');
    await writeFile(draft, `${JSON.stringify(details, null, 2)}\n`);
    await replaceFile(draft, path.join(this.folder(details.id), 'job.json'));
  }

  /** Removes all of a job but its lease, which the caller holds: it keeps others away until that is done. */
  async clear(id: string): Promise<void> {
    // the details first: without them it is no job any more
    await rm(path.join(this.folder(id), 'job.json'), { force: true });
    for (const name of await readdir(this.folder(id))) {
      if (!name.startsWith('lease')) {
        await rm(path.join(this.folder(id), name), { recursive: true, force: true });
      }
    }
  }

  /** Removes the folder if nothing is in it. */
  async removeEmpty(id: string): Promise<void> {
    try {
      await rmdir(this.folder(id));
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error) ?? '')) {
        throw error;
      }
    }
  }

  /** What the job does, as it was submitted; undefined when it wasn't kept. */
  async work(details: JobDetails): Promise<JobWork | undefined> {
    const { network, action, image, gpus, inputs, placement } = details;
    try {
      if (network === COMMAND) {
        return {
          kind: 'command',
          command: await readFile(path.join(this.folder(details.id), 'command'), 'utf8'),
          // on Lepton the image is the placement's
          ...(image === '' || placement !== undefined ? {} : { container: { image, gpus } }),
        };
      }
      const content = await readFile(path.join(this.folder(details.id), 'spec'));
      return {
        kind: 'spec',
        spec: {
          network,
          action,
          image,
          gpus,
          specFile: { name: 'spec.yaml', content },
          ...(inputs === undefined ? {} : { inputs }),
        },
      };
    } catch {
      // a job of another computer, or a folder that was cleaned up
      return undefined;
    }
  }

  async read(id: string): Promise<JobDetails | undefined> {
    try {
      const text = await readFile(path.join(this.folder(id), 'job.json'), 'utf8');
      const parsed = z.safeParse(jobDetails, JSON.parse(text));
      // the id names files: it must be the one of this folder
      return parsed.success && parsed.data.id === id ? parsed.data : undefined;
    } catch {
      // a folder whose creation was interrupted has no details yet
      return undefined;
    }
  }

  async list(): Promise<readonly JobDetails[]> {
    let names: string[];
    try {
      names = await readdir(this.#root);
    } catch {
      // no job yet
      return [];
    }
    const all = await Promise.all(names.map((name) => this.read(name)));
    return all.filter((details) => details !== undefined);
  }
}
