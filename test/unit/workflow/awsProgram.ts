import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeLauncher } from '../../brev-sim/cloud/machine.ts';

const launcher = nodeLauncher(
  { nodePath: process.execPath, sourceDir: path.join(import.meta.dirname, '../../brev-sim') },
  path.join(import.meta.dirname, 'aws.ts'),
  '',
);

/** Makes the folder, with an `aws` in it. */
export function makeAws(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'aws'), launcher, { mode: 0o755 });
}
