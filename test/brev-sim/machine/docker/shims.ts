import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, readTextIfThere } from '../json.ts';
import { NETWORKS } from '../tao/networks.ts';

const MACHINE_CODE = join(import.meta.dirname, '..');

export const PLAYER = join(MACHINE_CODE, 'tao', 'player.ts');

/** Programs that a container's image brings along, as tiny scripts in a folder for its PATH. */
export type ShimKind = 'tao' | 'gpu';

/** The folder with the programs of a kind, made once for each machine. */
export function shimFolder(dockerState: string, kind: ShimKind): string {
  const folder = join(dockerState, 'shims', kind);
  if (readTextIfThere(join(folder, '.complete')) !== undefined) return folder;
  mkdirSync(join(dockerState, 'shims'), { recursive: true });
  const staged = mkdtempSync(join(dockerState, 'shims', `${kind}-`));
  const [names, script] =
    kind === 'tao'
      ? [[...NETWORKS.keys(), 'torchrun'], `exec "${process.execPath}" "${PLAYER}" "\${0##*/}" "$@"`]
      : [['nvidia-smi'], `exec "${process.execPath}" "${join(MACHINE_CODE, 'nvidia-smi.ts')}" "$@"`];
  for (const name of names) writeFileSync(join(staged, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
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
