// The real `lep` of leptonai from PyPI.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { cleanEnvironment } from './clean-environment.ts';
import { pythonOf } from './pythonEnvironment.ts';

const folder = path.join(import.meta.dirname, 'lep');
const lepRun = z.object({ exitCode: z.number(), output: z.string() });

/** Both streams are in the output: lep's errors are on stdout. */
export type LepRun = z.infer<typeof lepRun>;

export interface Lep {
  run(...args: readonly string[]): Promise<LepRun>;
  /** A file for `--file`. */
  write(name: string, content: string): Promise<string>;
  dispose(): Promise<void>;
}

/** A `lep` that speaks to the workspace at this address. */
export async function openLep(workspace: {
  readonly url: string;
  readonly workspaceId: string;
  readonly token: string;
}): Promise<Lep> {
  const python = await pythonOf('lep');
  const home = await mkdtemp(path.join(tmpdir(), 'lep-'));
  // else it would ask PyPI for a newer one
  await writeFile(path.join(home, 'latest_version_check'), String(Math.floor(Date.now() / 1_000)));
  const server = spawn(python, [path.join(folder, 'serve.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...cleanEnvironment(),
      HOME: home,
      LEPTON_CACHE_DIR: home,
      LEPTON_WORKSPACE_ID: workspace.workspaceId,
      LEPTON_WORKSPACE_TOKEN: workspace.token,
      LEPTON_WORKSPACE_URL: workspace.url,
      // rich wraps and cuts at the width of the terminal
      COLUMNS: '10000',
      NO_PROXY: '127.0.0.1',
    },
  });
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  const runNext = async (args: readonly string[]): Promise<LepRun> => {
    server.stdin.write(`${JSON.stringify(args)}\n`);
    const { done, value } = await lines.next();
    if (done) throw new Error('lep/serve.py has ended');
    return lepRun.parse(JSON.parse(value));
  };
  return {
    run: (...args) => {
      const run = last.then(() => runNext(args));
      last = run.catch(() => undefined);
      return run;
    },
    write: async (name, content) => {
      const file = path.join(home, name);
      await writeFile(file, content);
      return file;
    },
    dispose: async () => {
      server.stdin.end();
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}
