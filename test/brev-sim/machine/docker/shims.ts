import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, readTextIfThere } from '../json.ts';
import { programFile } from '../programs.ts';
import { NETWORKS } from '../tao/networks.ts';

/** Programs of a container's image as tiny scripts in a folder for its PATH: every image's, TAO's, the GPU runtime's. */
export type ShimKind = 'base' | 'tao' | 'gpu';

/** What stands in for programs that would change the real machine: a container's packages are not the host's. */
const INSTALLERS = ['pip', 'pip3', 'apt', 'apt-get', 'apk', 'dnf', 'yum', 'conda'];

function scripts(kind: ShimKind): Map<string, string> {
  switch (kind) {
    case 'base': {
      const quiet = `echo "$(basename "$0"): nothing is installed in a simulated container" >&2`;
      return new Map([...INSTALLERS.map((name) => [name, quiet] as const), ['python', 'exec python3 "$@"']]);
    }
    case 'tao': {
      const player = `exec '${process.execPath}' -- '${programFile('player')}' "\${0##*/}" "$@"`;
      return new Map([...NETWORKS.keys(), 'torchrun'].map((name) => [name, player]));
    }
    case 'gpu':
      return new Map([['nvidia-smi', `exec '${process.execPath}' -- '${programFile('nvidia-smi')}' "$@"`]]);
  }
}

/** The folder with the programs of a kind, made once for each machine. */
export function shimFolder(dockerState: string, kind: ShimKind): string {
  const folder = join(dockerState, 'shims', kind);
  if (readTextIfThere(join(folder, '.complete')) !== undefined) return folder;
  mkdirSync(join(dockerState, 'shims'), { recursive: true });
  const staged = mkdtempSync(join(dockerState, 'shims', `${kind}-`));
  for (const [name, script] of scripts(kind)) {
    writeFileSync(join(staged, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  writeFileSync(join(staged, '.complete'), '');
  try {
    renameSync(staged, folder);
  } catch (error) {
    // Another container of this machine was faster.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error;
    rmSync(staged, { recursive: true });
  }
  return folder;
}
