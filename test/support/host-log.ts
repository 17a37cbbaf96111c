import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheRoot, repositoryRoot } from './paths.ts';

/** The errors that VS Code's extension host logged about the extension, from the logs below a user-data folder. */
export async function extensionErrors(userDataDir: string, extensionId: string): Promise<string[]> {
  const errors: string[] = [];
  for await (const file of glob('**/{exthost,remoteexthost}.log', { cwd: userDataDir })) {
    for (const entry of entries(await readFile(path.join(userDataDir, file), 'utf8'))) {
      if (/^\S+ \S+ \[error\]/.test(entry) && concerns(entry, extensionId)) errors.push(entry);
    }
  }
  return errors;
}

// An entry begins with its date; a stack follows on lines of its own.
function entries(log: string): string[] {
  return log.split(/\n(?=\d{4}-\d\d-\d\d )/);
}

function concerns(entry: string, extensionId: string): boolean {
  return entry.replaceAll(cacheRoot, '').includes(repositoryRoot + path.sep) || entry.includes(extensionId);
}
