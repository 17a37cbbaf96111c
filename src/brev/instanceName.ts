/** The CLI's own rule for new names (brev-cli.md part 5); it also decides what may get near exec (part 15, trap 7). */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
export const MAX_NAME_LENGTH = 63;

/**
 * Whether the name may be given to `exec`, `shell` or a terminal. The CLI puts it unquoted into a local shell,
 * and `ls` shows names that its own rule would refuse.
 */
export function isUsableName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && NAME.test(name);
}

/** A free name made from a base: `tao-l40s`, then `tao-l40s-2`, … */
export function freeName(base: string, taken: readonly string[]): string {
  const clean = base.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'instance';
  const used = new Set(taken);
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`;
    const name = clean.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix;
    if (!used.has(name)) {
      return name;
    }
  }
}
