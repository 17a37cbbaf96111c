/** Docker's "never": what an unset time looks like in `inspect` (contract part 6). */
export const NEVER = '0001-01-01T00:00:00Z';

const base = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();

/** Wall clock in nanoseconds, growing within a process. */
export function nowNanoseconds(): bigint {
  return base + process.hrtime.bigint();
}

/** RFC3339 with all nine digits, as `docker logs --timestamps` prints it. */
export function fixedTime(nanoseconds: bigint): string {
  const seconds = nanoseconds / 1_000_000_000n;
  const rest = (nanoseconds % 1_000_000_000n).toString().padStart(9, '0');
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${text}.${rest}Z`;
}

/** RFC3339Nano, as `docker inspect` prints it: trailing zeros of the fraction are left out. */
export function nanoTime(nanoseconds: bigint): string {
  return fixedTime(nanoseconds).replace(/\.?0*Z$/, 'Z');
}

/** Nanoseconds of an RFC3339(Nano) text, or undefined when it isn't one. */
export function parseTime(text: string): bigint | undefined {
  const match =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ??
    undefined;
  if (match === undefined) return undefined;
  const [, day = '', time = '00:00:00', fraction = '', zone = 'Z'] = match;
  const milliseconds = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}${zone}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

const UNIT_NANOSECONDS: Record<string, number> = { h: 3.6e12, m: 6e10, s: 1e9, ms: 1e6, us: 1e3, ns: 1 };

/** Nanoseconds of a Go duration such as `1h30m`, or undefined when it isn't one. */
export function parseDuration(text: string): bigint | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|ns))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount = '0', unit = 's'] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|ns)/g)) {
    total += Number(amount) * (UNIT_NANOSECONDS[unit] ?? 0);
  }
  return BigInt(Math.round(total));
}

/** What `--since` and `--until` take: RFC3339, unix seconds with a fraction, or a duration back from now. */
export function parseMoment(text: string): bigint | undefined {
  const unix = /^(\d+)(?:\.(\d{1,9}))?$/.exec(text);
  if (unix !== null) return BigInt(unix[1] ?? '0') * 1_000_000_000n + BigInt((unix[2] ?? '').padEnd(9, '0'));
  const back = parseDuration(text);
  return back === undefined ? parseTime(text) : nowNanoseconds() - back;
}

/** Docker's rounded age: `Less than a second`, `5 minutes`, `About an hour`, `2 days`. */
export function humanDuration(nanoseconds: bigint): string {
  const seconds = Number(nanoseconds / 1_000_000_000n);
  if (seconds < 1) return 'Less than a second';
  if (seconds === 1) return '1 second';
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  if (minutes === 1) return 'About a minute';
  if (minutes < 60) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60 + 0.5);
  if (hours === 1) return 'About an hour';
  if (hours < 48) return `${hours} hours`;
  if (hours < 24 * 7 * 2) return `${Math.floor(hours / 24)} days`;
  if (hours < 24 * 30 * 2) return `${Math.floor(hours / 24 / 7)} weeks`;
  if (hours < 24 * 365 * 2) return `${Math.floor(hours / 24 / 30)} months`;
  return `${Math.floor(hours / 24 / 365)} years`;
}
