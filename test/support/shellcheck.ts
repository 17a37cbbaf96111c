import { spawnSync } from 'node:child_process';
import { installDebianPackage } from './debianPackage.ts';

/** Sees to it that there is a shellcheck; installs Debian's when root and there is none. */
export async function findShellcheck(say: (line: string) => void): Promise<void> {
  const found = () => spawnSync('shellcheck', ['--version']).status === 0;
  if (found() || ((await installDebianPackage('shellcheck', say)) && found())) return;
  throw new Error('No shellcheck here. Install it (Debian: apt-get install shellcheck).');
}
