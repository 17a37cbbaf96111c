import path from 'node:path';
import { cacheRoot } from '../support/paths.ts';
import { bundlePrograms } from '../support/program-bundle.ts';

const built = new Map<string, Promise<string>>();

/** The program `host.ts` of a folder of ours, as a file for Node; built once. */
export async function hostProgram(folder: string): Promise<string> {
  const program =
    built.get(folder) ??
    bundlePrograms({ host: path.join(folder, 'host.ts') }, path.join(cacheRoot, 'chaos'));
  built.set(folder, program);
  return path.join(await program, 'host.cjs');
}
