import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { installDebianPackage } from './debianPackage.ts';

const usualPlaces = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/opt/homebrew/sbin/sshd'];
let found: Promise<string> | undefined;

/** OpenSSH's sshd on this machine (SSHD names one explicitly); installs Debian's when root and there is none. */
export function findSshd(say: (line: string) => void = console.log): Promise<string> {
  found ??= findOrInstall(say);
  return found;
}

async function findOrInstall(say: (line: string) => void): Promise<string> {
  const sshd = (await search()) ?? (await install(say));
  if (sshd === undefined) {
    throw new Error(
      'No sshd here. Install OpenSSH’s server (Debian: apt-get install openssh-server) or name one in the variable SSHD.',
    );
  }
  // as root it wants this folder, which Debian’s service makes and nobody else
  if (process.getuid?.() === 0 && process.platform === 'linux') {
    await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  }
  return sshd;
}

/** RUNLEVEL: the package must not start a server of its own on port 22. */
async function install(say: (line: string) => void): Promise<string | undefined> {
  return (await installDebianPackage('openssh-server', say, { RUNLEVEL: '1' })) ? await search() : undefined;
}

async function search(): Promise<string | undefined> {
  const named = process.env.SSHD;
  if (named) return named;
  for (const file of usualPlaces) {
    const usable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return file;
  }
  return undefined;
}
