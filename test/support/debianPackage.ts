import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Installs a Debian package where that is allowed: as root on Linux. False where it isn't. */
export async function installDebianPackage(
  name: string,
  say: (line: string) => void,
  env: NodeJS.ProcessEnv = {},
): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  say(`Installing ${name} (apt-get)`);
  // `apt-get update` doesn't wait for another one: DPkg::Lock::Timeout is for its install alone. Stages come together.
  const aptGet = (...args: readonly string[]) =>
    run('flock', [path.join(tmpdir(), 'brev-tests-apt.lock'), 'apt-get', '-qq', ...args], {
      env: { ...process.env, ...env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 480_000,
      maxBuffer: 1e8,
    });
  await aptGet('update');
  await aptGet('-o', 'DPkg::Lock::Timeout=240', 'install', '-y', '--no-install-recommends', name);
  return true;
}
