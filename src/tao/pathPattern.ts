/**
 * The folder that a path with wildcards (`*`, `?`) or a range of shards (`{000..099}`) stands in, with a final slash;
 * undefined for a path that names one thing.
 */
export function folderOfPattern(path: string): string | undefined {
  const at = path.search(/[*?]|\{[^{}/]*(?:\.\.|,)[^{}/]*\}/);
  return at < 0 ? undefined : path.slice(0, path.lastIndexOf('/', at) + 1);
}
