import { dirname, join } from 'node:path';

/** Another of the machine's programs, as a file for Node: all are built into the folder of the one that runs now. */
export function programFile(name: 'nvidia-smi' | 'player' | 'runner'): string {
  return join(dirname(process.argv[1] ?? ''), `${name}.cjs`);
}
