// The real TAO SDK from PyPI, in a virtual environment that the first test to need it makes.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cleanEnvironment } from './clean-environment.ts';
import { cacheRoot } from './paths.ts';

const run = promisify(execFile);
const PINS = ['nvidia-tao-sdk==7.2.0', 'PyYAML==6.0.3'];

/** An interpreter that has the SDK; the first time on a computer it is installed, which takes about ten seconds. */
export async function taoSdkPython(): Promise<string> {
  const key = createHash('sha256').update(PINS.join('\n')).digest('hex').slice(0, 8);
  const target = path.join(cacheRoot, `tao-sdk-7.2.0-${key}`);
  if (!existsSync(target)) await install(target);
  return path.join(target, 'bin/python');
}

/** The folder appears whole or not at all; of two that come at once the second throws its own away. */
async function install(target: string): Promise<void> {
  await mkdir(cacheRoot, { recursive: true });
  const building = await mkdtemp(`${target}.building-`);
  const env = cleanEnvironment();
  try {
    await run('python3', ['-m', 'venv', building], { env });
    const pip = ['-m', 'pip', '--disable-pip-version-check', '--quiet', 'install', '--no-compile', ...PINS];
    await run(path.join(building, 'bin/python'), pip, { env });
    // so that no test compiles them
    await run(
      path.join(building, 'bin/python'),
      ['-c', 'import tao_sdk.platforms.brev, tao_sdk.script_runner'],
      { env },
    );
    await rename(building, target);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    if (!existsSync(target)) {
      throw new Error('The tests of the TAO SDK need Python 3.10 or newer as python3, with venv.', {
        cause: error,
      });
    }
  }
}
