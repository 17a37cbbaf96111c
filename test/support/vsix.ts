// `npm run package`: the VSIX with what is in it. The demo installs the same file.
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { buildExtension } from '../../esbuild.ts';
import { repositoryRoot } from './paths.ts';

const activationLimit = 150 * 1024;

/** A VSIX as built. */
export interface Package {
  readonly file: string;
  readonly bytes: number;
  /** The size of the one file that VS Code reads to activate the extension. */
  readonly activationBytes: number;
}

/** Builds the extension and packs it; throws when activation would load more than it may. */
export async function packageExtension(): Promise<Package> {
  const activationBytes = await buildExtension();
  if (activationBytes > activationLimit)
    throw new Error(
      `dist/extension.cjs has ${kilobytes(activationBytes)}, the limit is ${kilobytes(activationLimit)}`,
    );
  const file = path.join(repositoryRoot, 'dist/brev-instances.vsix');
  // Two runs at once each pack a file of their own; the last one's stays.
  const packing = await mkdtemp(path.join(repositoryRoot, 'dist/packing-'));
  try {
    const packed = path.join(packing, path.basename(file));
    await createVSIX({
      cwd: repositoryRoot,
      packagePath: packed,
      dependencies: false,
      allowMissingRepository: true,
      // the picture in the README lies beside it, in the VSIX too
      rewriteRelativeLinks: false,
    });
    await rename(packed, file);
  } finally {
    await rm(packing, { recursive: true });
  }
  return { file, bytes: (await stat(file)).size, activationBytes };
}

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;

if (import.meta.main) {
  // The packer lists the files itself.
  const built = await packageExtension();
  console.log(`${path.relative(repositoryRoot, built.file)}: ${built.bytes} bytes`);
  console.log(`dist/extension.cjs: ${kilobytes(built.activationBytes)} at activation`);
}
