import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../process/errorCode.ts';
import type { JobFolders } from './jobFolder.ts';

/**
 * What must be known of a job whatever becomes of this window: that its launch began; that its end, or that nobody knows
 * its state, was told; that it is to be cancelled as soon as it can be reached; that its instance was idle after it.
 */
export type JobMark = 'launching' | 'told' | 'told-unknown' | 'cancel' | 'idle-told';

/** Facts about jobs as empty files in their folders. At once, so that a fact stands before anything follows from it. */
export class JobMarks {
  readonly #folders: JobFolders;

  constructor(folders: JobFolders) {
    this.#folders = folders;
  }

  has(id: string, mark: JobMark): boolean {
    return existsSync(this.#file(id, mark));
  }

  /** True for the one who sets it, of all windows; false where it is set already. */
  set(id: string, mark: JobMark): boolean {
    try {
      closeSync(openSync(this.#file(id, mark), 'wx', 0o600));
      return true;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') {
        throw error;
      }
      return false;
    }
  }

  remove(id: string, mark: JobMark): void {
    rmSync(this.#file(id, mark), { force: true });
  }

  #file(id: string, mark: JobMark): string {
    return path.join(this.#folders.folder(id), mark);
  }
}
