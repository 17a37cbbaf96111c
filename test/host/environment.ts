import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What a suite's VS Code runs with. */
export interface HostEnvironment {
  readonly env: Record<string, string>;
  readonly settings: Record<string, unknown>;
  readonly folder: string;
  dispose(): Promise<void>;
}

/** Prepares the surroundings of a suite's window; the window and its phases share them, no two suites do. */
export async function prepare(_suite: string): Promise<HostEnvironment> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'brev-folder-')));
  return {
    env: {},
    settings: {},
    folder: root,
    dispose: async () => await rm(root, { recursive: true, force: true }),
  };
}
