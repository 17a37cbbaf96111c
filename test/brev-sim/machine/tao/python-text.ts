/** Texts as Python writes them. */

/** `repr` of a float: NaN and Infinity as json.dumps has them, a point even in whole numbers, short exponents. */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e16)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** Marks a number that Python would hold as a float. */
export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export type PythonValue = string | number | Float | { [key: string]: PythonValue };

/** `json.dumps`: a space after each colon and comma, ASCII only, NaN as a bare token. */
export function pythonJson(value: PythonValue): string {
  if (value instanceof Float) return pythonFloat(value.value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    return JSON.stringify(value).replace(
      /[\u007f-\uffff]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  }
  const pairs = Object.entries(value).map(([key, item]) => `${pythonJson(key)}: ${pythonJson(item)}`);
  return `{${pairs.join(', ')}}`;
}

/** `str(timedelta(seconds=…))`: `0:01:02.345678`, `1 day, 2:03:04`. */
export function timedelta(seconds: number): string {
  const micros = Math.round(seconds * 1e6);
  const whole = Math.floor(micros / 1e6);
  const days = Math.floor(whole / 86_400);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = `${Math.floor((whole % 86_400) / 3600)}:${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`;
  const rest = micros % 1e6;
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(6, '0')}`;
  const prefix = days === 0 ? '' : `${days} day${days === 1 ? '' : 's'}, `;
  return `${prefix}${clock}${fraction}`;
}

/** tqdm's `%.3g`, whose exponents have no leading zero. */
function threeDigits(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return '0';
  const exponent = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(3)))));
  if (exponent < -4 || exponent >= 3) {
    const [mantissa = '', power = ''] = value.toExponential(2).split('e');
    const digits = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
    return `${digits}e${power}`;
  }
  return String(Number(value.toPrecision(3)));
}

/** A number in Lightning's progress bar: padded to five characters, which turns `nan` into `nan.0`. */
export function barNumber(value: number): string {
  const text = threeDigits(value);
  if (text.includes('e')) return text;
  return (text.includes('.') || text.length >= 5 ? text : `${text}.`).padEnd(5, '0');
}

/** logging's asctime: `2026-03-07 10:00:00,111`, the container's clock being UTC. */
export function asctime(now: Date): string {
  return now.toISOString().replace('T', ' ').replace('.', ',').replace('Z', '');
}

/** `repr` of a str, good enough for paths and overrides. */
export function pythonRepr(text: string): string {
  return text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`;
}
