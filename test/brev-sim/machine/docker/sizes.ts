const POWERS: Record<string, number> = { '': 0, b: 0, k: 1, m: 2, g: 3, t: 4, p: 5 };

/** Bytes of a docker size such as `16g`, `64MB` or `1.5GiB`; undefined when it isn't one. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?) ?([bkmgtp]?)(?:i?b)?$/i.exec(text);
  if (match === null) return undefined;
  const power = POWERS[(match[2] ?? '').toLowerCase()] ?? 0;
  return Math.floor(Number(match[1]) * 1024 ** power);
}

/** Docker's decimal size: `1.23GB`, `77.9MB`, `0B`. */
export function decimalSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${Number(value.toPrecision(3))}${units[unit] ?? 'B'}`;
}
