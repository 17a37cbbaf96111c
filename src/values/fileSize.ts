const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** How large something is, for people: three digits at most, in the units that clouds bill by. */
export function fileSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
