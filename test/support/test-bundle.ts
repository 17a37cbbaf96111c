import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { repositoryRoot } from './paths.ts';

/** Bundles TypeScript files for the extension host (CommonJS, one file each) into a folder, and returns their paths. */
export async function bundleForHost(files: readonly string[], outdir: string): Promise<string[]> {
  await build({
    entryPoints: Object.fromEntries(files.map((file) => [nameOf(file), file])),
    outdir,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    outExtension: { '.js': '.cjs' },
    sourcemap: 'inline',
    external: ['vscode', 'esbuild'],
    loader: { '.sh': 'text', '.py': 'text' },
    supported: { 'dynamic-import': false },
    plugins: [mochaOfHost, ownLocation],
    absWorkingDir: repositoryRoot,
    logLevel: 'warning',
  });
  return files.map((file) => path.join(outdir, `${nameOf(file)}.cjs`));
}

const nameOf = (file: string) => path.basename(file, '.ts');

// All files of a run must share one Mocha. Its CommonJS file, because CommonJS sees no default export of an ES module.
const mochaOfHost: Plugin = {
  name: 'mocha-of-host',
  setup({ onResolve }) {
    const file = path.join(repositoryRoot, 'node_modules/mocha/lib/mocha.cjs');
    onResolve({ filter: /^mocha$/ }, () => ({ path: file, external: true }));
  },
};

// CommonJS has no import.meta; modules that look for files beside their source go on finding them.
export const ownLocation: Plugin = {
  name: 'own-location',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      const contents = text
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
        .replaceAll('import.meta.filename', JSON.stringify(file))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
        .replaceAll('import.meta.main', 'false');
      return { contents, loader: 'ts' };
    });
  },
};
