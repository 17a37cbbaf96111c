/**
 * Where a path of this computer, or one that the container doesn't have, would stand below the data folder that each
 * job sees: what is below ~/data keeps its place, anything else goes by its own name. Undefined when it has none, or
 * only the run knows it.
 */
export function suggestedPath(value: string): string | undefined {
  if (value.includes('${')) {
    return undefined;
  }
  const plain = value
    .replaceAll('\\', '/')
    .replace(/^(?:\.{1,2}\/)+/, '')
    .replace(/\/+$/, '');
  const inData = /^(?:~|\$HOME|\/root|\/home\/[^/]+|[A-Za-z]:\/Users\/[^/]+)\/data\/(.+)$/.exec(plain)?.[1];
  if (inData !== undefined) {
    return `/data/${inData}`;
  }
  const isRelative = /^\.{1,2}\//.test(value);
  const parts = plain.split('/').filter((part) => part !== '');
  // files that are named by a pattern need their folder
  const pattern = parts.findIndex((part) => /[*?{]/.test(part));
  const from = isRelative ? 0 : pattern < 0 ? parts.length - 1 : Math.max(0, pattern - 1);
  const rest = parts.slice(from).join('/');
  return /^(?:~|\$HOME|[A-Za-z]:|data)?$/.test(rest) ? undefined : `/data/${rest}`;
}
