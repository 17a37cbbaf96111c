// Python programs for tests, each in a virtual environment with what its requirements.txt pins. `npm test` makes them
// before it starts the tests, whose time limits are not for downloads; a test that is run alone makes its own.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheRoot } from './paths.ts';

/** By the folder of test/support that pins it. */
export type PythonEnvironment = 'moto' | 'lep' | 'tao-sdk';

/** The interpreter of an environment; the first time on a computer it is installed, in ten seconds to a minute. */
export async function pythonOf(name: PythonEnvironment): Promise<string> {
  const requirements = path.join(import.meta.dirname, name, 'requirements.txt');
  const key = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 8);
  const target = path.join(cacheRoot, `${name}-${key}`);
  if (!existsSync(target)) await install(target, requirements);
  return path.join(target, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
}

async function install(target: string, requirements: string): Promise<void> {
  const child = spawn(
    'python3',
    [path.join(import.meta.dirname, 'python/install.py'), target, requirements],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exitCode = await new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error('Tests need Python 3.10 or newer as python3: install it.', { cause: error })),
    );
    child.once('close', resolve);
  });
  if (exitCode !== 0) throw new Error(`${path.basename(target)} was not installed: ${errors.trim()}`);
}
