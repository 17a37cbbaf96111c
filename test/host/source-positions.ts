import { findSourceMap } from 'node:module';
import path from 'node:path';
import { repositoryRoot } from '../support/paths.ts';

// Mocha shortens paths to those below the working directory.
const bundlePosition = /(?:\/[^\s():]*)?\bout\/test\/([^\s():]+\.cjs):(\d+):(\d+)/g;

/** Puts source files' positions in the place of their bundles', in a text with stack traces. Needs source maps enabled. */
export function toSourcePositions(text: string): string {
  return text.replaceAll(bundlePosition, (found: string, bundle: string, line: string, column: string) => {
    const map = findSourceMap(path.join(repositoryRoot, 'out/test', bundle));
    const origin = map?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin)) return found;
    const source = origin.fileName.replace(/^file:\/\//, '');
    return `${path.relative(repositoryRoot, source)}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}
