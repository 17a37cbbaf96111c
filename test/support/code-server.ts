import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { npm } from './npm.ts';
import { cacheRoot } from './paths.ts';
import { isAlive } from './processes.ts';

const committed = ['package.json', 'package-lock.json', '.npmrc'];
const lock = path.join(import.meta.dirname, 'code-server');
const store = path.join(cacheRoot, 'vscode-host');

/** The folder of code-server in the cache, installed there first when this lock file's copy isn't there yet. */
export async function codeServer(say: (line: string) => void): Promise<string> {
  const target = path.join(store, await contentKey());
  const folder = path.join(target, 'node_modules', 'code-server');
  if (existsSync(folder)) return folder;
  say('Installing the served VS Code (once, about a minute)');
  await mkdir(store, { recursive: true });
  await removeDead();
  const building = path.join(store, `building-${process.pid}`);
  try {
    await build(building);
    await rename(building, target).catch((error: unknown) => {
      // Another run was faster; the two copies have the same content.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return folder;
}

async function build(folder: string): Promise<void> {
  await mkdir(folder);
  for (const name of committed) await copyFile(path.join(lock, name), path.join(folder, name));
  // Its own install script would compile what isn't needed; --force is for its check of the npm version.
  await npm(['ci', '--ignore-scripts', '--force'], folder);
  const vscode = path.join(folder, 'node_modules/code-server/lib/vscode');
  await npm(['install', '--omit=dev', '--ignore-scripts', '--force', '--no-audit', '--no-fund'], vscode);
  await npm(['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], vscode);
}

async function contentKey(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of committed) hash.update(await readFile(path.join(lock, name)));
  const node = process.versions.node.split('.')[0];
  return `${hash.digest('hex').slice(0, 12)}-node${node}-${process.platform}-${process.arch}`;
}

// A run that was killed while installing left half a copy behind.
async function removeDead(): Promise<void> {
  for (const name of await readdir(store)) {
    const pid = /^building-(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(path.join(store, name), { recursive: true, force: true });
  }
}
