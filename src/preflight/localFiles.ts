import { readFile, stat } from 'node:fs/promises';
import { errorCode } from '../process/errorCode.ts';

/** What the checks look at on the user's disk. */
export interface LocalFiles {
  /** The text of a file, or undefined where there is none. */
  readText(file: string): Promise<string | undefined>;
  isFolder(folder: string): Promise<boolean>;
}

export const localFiles: LocalFiles = {
  readText: (file) => unlessMissing(() => readFile(file, 'utf8'), undefined),
  isFolder: (folder) => unlessMissing(async () => (await stat(folder)).isDirectory(), false),
};

async function unlessMissing<T>(look: () => Promise<T>, missing: T): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return missing;
    }
    throw error;
  }
}
