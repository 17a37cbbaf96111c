import type { RunInput } from '../tao/runSpec.ts';
import copyScript from './copy.sh';

/** Defines a function of a script, `copy file|folder FROM TO`, which uses the AWS variables that the job gets. */
export const copyFunction: string = copyScript;

/**
 * Lines of a script that bring these inputs to their paths, or end the job with 66. They need `copyFunction` before them.
 * `below` is for a program that is in no container, where the paths are below the home directory.
 */
export function inputLines(inputs: readonly RunInput[], below: '' | '"$HOME"' = ''): readonly string[] {
  return inputs.flatMap(({ kind, path, uri }) => [
    `mkdir -p "$(dirname ${below}${quote(path)})"`,
    `copy ${kind} ${quote(uri)} ${below}${quote(path)} || { echo "An input could not be copied." >&2; exit 66; }`,
  ]);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
