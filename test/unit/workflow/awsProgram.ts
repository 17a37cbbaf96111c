import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const launcher = `#!/bin/sh\nexec '${process.execPath}' '${path.join(import.meta.dirname, 'aws.ts')}' "$@"\n`;

/** Makes the folder, with an `aws` in it. */
export function makeAws(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'aws'), launcher, { mode: 0o755 });
}
