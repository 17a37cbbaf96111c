import { createHash } from 'node:crypto';
import { access, chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import adapter from './python/adapter.py';
import launcher from './python/brev.sh';
import bridge from './python/bridge.py';
import cli from './python/cli.py';
import launching from './python/launching.py';
import remote from './python/remote.py';

const FILES: readonly [name: string, text: string][] = [
  ['bridge.py', bridge],
  ['adapter.py', adapter],
  ['cli.py', cli],
  ['launching.py', launching],
  ['remote.py', remote],
];

/** Writes the bridge and its `brev` below `folder`, once for each version of them, and returns where they are. */
export async function writeBridgeFiles(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const [name, text] of [...FILES, ['brev', launcher] as const]) {
    hash.update(`${name}\0${text}\0`);
  }
  const home = path.join(folder, `bridge-${hash.digest('hex').slice(0, 12)}`);
  if (await exists(home)) {
    return home;
  }
  await mkdir(folder, { recursive: true });
  const draft = await mkdtemp(path.join(folder, '.bridge-'));
  for (const [name, text] of FILES) {
    await writeFile(path.join(draft, name), text);
  }
  await mkdir(path.join(draft, 'bin'));
  await writeFile(path.join(draft, 'bin/brev'), launcher);
  await chmod(path.join(draft, 'bin/brev'), 0o755);
  try {
    await rename(draft, home);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // another window was faster
    if (!(await exists(home))) {
      throw error;
    }
  }
  return home;
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // missing, or out of reach, which writing will tell
    return false;
  }
}
