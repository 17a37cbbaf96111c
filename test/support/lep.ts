// The real `lep` of leptonai from PyPI, in a virtual environment that the first test to need it makes.
import { type SpawnOptions, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanEnvironment } from './clean-environment.ts';
import { cacheRoot } from './paths.ts';

const folder = path.join(import.meta.dirname, 'lep');
/** lep may try again for more than a minute (tao.md part 4). */
const TIMEOUT_MS = 60_000;

export interface LepRun {
  readonly exitCode: number | null;
  /** Both streams: lep's errors are on stdout. */
  readonly output: string;
}

export interface Lep {
  run(...args: readonly string[]): Promise<LepRun>;
  /** A file for `--file`. */
  write(name: string, content: string): Promise<string>;
  dispose(): Promise<void>;
}

/** A `lep` that speaks to the workspace at this address; the first time on a computer it is installed. */
export async function openLep(workspace: {
  readonly url: string;
  readonly workspaceId: string;
  readonly token: string;
}): Promise<Lep> {
  const python = await lepPython();
  const home = await mkdtemp(path.join(tmpdir(), 'lep-'));
  // else it would ask PyPI for a newer one
  await writeFile(path.join(home, 'latest_version_check'), String(Math.floor(Date.now() / 1_000)));
  const env = {
    ...cleanEnvironment(),
    HOME: home,
    LEPTON_CACHE_DIR: home,
    LEPTON_WORKSPACE_ID: workspace.workspaceId,
    LEPTON_WORKSPACE_TOKEN: workspace.token,
    LEPTON_WORKSPACE_URL: workspace.url,
    // rich wraps and cuts at the width of the terminal
    COLUMNS: '10000',
    NO_PROXY: '127.0.0.1',
  };
  return {
    run: (...args) =>
      runToEnd(python, ['-c', 'from leptonai.cli import lep; lep()', ...args], { env, timeout: TIMEOUT_MS }),
    write: async (name, content) => {
      const file = path.join(home, name);
      await writeFile(file, content);
      return file;
    },
    dispose: () => rm(home, { recursive: true, force: true }),
  };
}

async function lepPython(): Promise<string> {
  const pins = await readFile(path.join(folder, 'requirements.txt'), 'utf8');
  const version = /^leptonai==(\S+)$/m.exec(pins)?.[1] ?? 'unpinned';
  const key = createHash('sha256').update(pins).digest('hex').slice(0, 8);
  const target = path.join(cacheRoot, `lep-${version}-${key}`);
  if (!existsSync(target)) {
    const { exitCode, output } = await runToEnd('python3', [path.join(folder, 'install.py'), target], {});
    if (exitCode !== 0) throw new Error(`lep was not installed: ${output.trim()}`);
  }
  return path.join(target, 'bin', 'python');
}

function runToEnd(program: string, args: readonly string[], options: SpawnOptions): Promise<LepRun> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}
