import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** True for a JSON object (not an array, not null). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The errno code of a file system or socket error, '' for anything else. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A file's text, or undefined when there is no such file. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
    throw error;
  }
}

/** A file's JSON, or undefined when there is no such file; a broken file throws. */
export function readJsonIfThere(path: string): unknown {
  const text = readTextIfThere(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON`, { cause: error });
  }
}

/** Writes a file so that readers see the old text or the new one, never a part. */
export function writeAtomic(path: string, text: string, mode = 0o644): void {
  const temporary = `${path}.${process.pid}.${process.hrtime.bigint()}`;
  writeFileSync(temporary, text, { mode });
  renameSync(temporary, path);
}
