import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';

/** An empty home folder that is removed after the test. */
export async function temporaryHome(test: TestContext): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'preflight-'));
  test.after(() => rm(home, { recursive: true, force: true }));
  return home;
}

/** Writes a file and the folders above it. */
export async function put(file: string, content: string | Uint8Array, mode = 0o600): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content, { mode });
  return file;
}
