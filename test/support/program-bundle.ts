import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { ownLocation } from './test-bundle.ts';

/**
 * Builds programs, each of one source and all that it imports, as `<name>.cjs` in a folder of their own within `parent`,
 * and returns that. Node starts one in two thirds of the time that it takes for the sources: what a test calls a hundred
 * times is mostly its start. The folder is named by what was built where the caller knows no name for it.
 */
export async function bundlePrograms(
  sources: Readonly<Record<string, string>>,
  parent: string,
  folderName?: string,
): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(Object.entries(sources).map(([name, file]) => [`${name}.main`, file])),
    outdir: parent,
    outExtension: { '.js': '.cjs' },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    external: ['esbuild'],
    loader: { '.sh': 'text', '.py': 'text' },
    plugins: [ownLocation],
    logLevel: 'error',
  });
  const folder = path.join(parent, folderName ?? digest(outputFiles.map(({ text }) => text)));
  if (existsSync(folder)) return folder;
  mkdirSync(parent, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  for (const { path: file, contents } of outputFiles)
    writeFileSync(path.join(draft, path.basename(file)), contents);
  for (const name of Object.keys(sources)) writeFileSync(path.join(draft, `${name}.cjs`), start(name));
  try {
    renameSync(draft, folder);
  } catch (error) {
    // somebody else has just built the same
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function digest(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex').slice(0, 16);
}

/** By a file of its own, because the cache holds only what is loaded after it is on; an environment would be inherited. */
const start = (name: string): string =>
  `require('node:module').enableCompileCache(__dirname + '/compiled');\nrequire('./${name}.main.cjs');\n`;
