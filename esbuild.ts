// Builds dist/: the extension as one small file that VS Code loads at activation, and whatever is imported dynamically, a
// library (`await import('yaml')`) or a part of our own (`await import('./allCommands.ts')`), as a file of its own that is
// read on first use. Such a part carries its own copy of what it shares with the rest, so that must hold no state.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { type BuildOptions, type BuildResult, build, type OutputFile, type Plugin } from 'esbuild';

const root = import.meta.dirname;
const dist = path.join(root, 'dist');

// Small enough to be evaluated at activation. All other packages are for `await import()`.
const inActivation = new Set(['zod/mini']);

const shared = {
  bundle: true,
  write: false,
  platform: 'node',
  format: 'cjs',
  // VS Code 1.105's extension host.
  target: 'node22',
  minify: true,
  absWorkingDir: root,
  logLevel: 'silent',
  loader: { '.sh': 'text', '.py': 'text' },
} satisfies BuildOptions;

/** Builds dist/ and returns the size in bytes of the file that activation reads. */
export async function buildExtension(): Promise<number> {
  const packages = new Set<string>();
  const extension = await build({
    ...shared,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    sourcemap: 'external',
    external: ['vscode'],
    // Without it `import()` of a file beside the bundle stays an import, which the extension host resolves otherwise.
    supported: { 'dynamic-import': false },
    plugins: [packagesApart(packages)],
  });
  // a part may import another library on its first use
  const libraries: BuildResult<{ write: false }>[] = [];
  for (const name of packages) libraries.push(await buildLibrary(name, packages));
  const pages = await Promise.all([
    buildPage('jobPanel', { page: 'media/jobPanel/page.ts', panel: 'media/jobPanel/style.css' }),
    buildPage('planPanel', { page: 'media/planPanel/page.ts', style: 'media/planPanel/style.css' }),
  ]);
  for (const result of [extension, ...libraries, ...pages]) await writeOutput(result);
  await removeStale(new Set(libraries.flatMap((result) => result.outputFiles.map((file) => file.path))));
  return extension.outputFiles.find((file) => file.path.endsWith('extension.cjs'))?.contents.length ?? 0;
}

/** A webview's page: a program for the browser, and its style. */
async function buildPage(
  name: string,
  entryPoints: Record<string, string>,
): Promise<BuildResult<{ write: false }>> {
  return await build({
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'chrome128',
    minify: true,
    absWorkingDir: root,
    logLevel: 'silent',
    entryPoints,
    outdir: `dist/${name}`,
  });
}

async function buildLibrary(name: string, packages: Set<string>): Promise<BuildResult<{ write: false }>> {
  const part = path.isAbsolute(name);
  return await build({
    ...shared,
    stdin: { contents: `export * from ${JSON.stringify(name)}`, resolveDir: root },
    outfile: path.join(dist, 'lib', libraryFile(name)),
    external: ['vscode'],
    ...(part ? { supported: { 'dynamic-import': false }, plugins: [packagesApart(packages, '.')] } : {}),
  });
}

const libraryFile = (name: string) =>
  `${path.isAbsolute(name) ? path.basename(name, '.ts') : name.replaceAll('/', '-')}.cjs`;

function packagesApart(found: Set<string>, folder = './lib'): Plugin {
  return {
    name: 'packages-apart',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path: name, kind, resolveDir, importer }) => {
        if (kind !== 'dynamic-import' || importer.includes('node_modules')) return undefined;
        const file = path.resolve(resolveDir, name);
        found.add(file);
        return { path: `${folder}/${libraryFile(file)}`, external: true };
      });
      onResolve({ filter: /^[^./]/ }, ({ path: name, kind, importer }) => {
        if (name === 'vscode' || isBuiltin(name) || importer.includes('node_modules')) return undefined;
        if (kind === 'entry-point' || path.isAbsolute(name)) return undefined;
        if (kind === 'dynamic-import') {
          found.add(name);
          return { path: `${folder}/${libraryFile(name)}`, external: true };
        }
        if (inActivation.has(name)) return undefined;
        const text = `${name} would be evaluated at activation: use \`await import('${name}')\` where it is needed`;
        return { errors: [{ text }] };
      });
    },
  };
}

// Other runs may be reading dist/ at this moment: a file is whole or absent, and left alone where nothing changed.
async function writeOutput({ outputFiles }: { outputFiles: OutputFile[] }): Promise<void> {
  for (const file of outputFiles) {
    const old = await readFile(file.path).catch(() => undefined);
    if (old?.equals(file.contents)) continue;
    await mkdir(path.dirname(file.path), { recursive: true });
    const half = `${file.path}.${process.pid}`;
    await writeFile(half, file.contents);
    await rename(half, file.path);
  }
}

// What no longer is imported would go on being packed.
async function removeStale(built: ReadonlySet<string>): Promise<void> {
  const folder = path.join(dist, 'lib');
  const files = existsSync(folder) ? await readdir(folder) : [];
  for (const file of files.map((name) => path.join(folder, name))) {
    if (file.endsWith('.cjs') && !built.has(file)) await rm(file, { force: true });
  }
}

if (import.meta.main) {
  const size = await buildExtension();
  console.log(`dist/extension.cjs: ${(size / 1024).toFixed(1)} KB at activation`);
}
