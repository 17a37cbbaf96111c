const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const POWERS = Array.from({ length: 23 }, (_, power) => 10 ** power);
/** Beyond it the integer of all digits isn't exact any more. */
const MAX_EXACT = Number.MAX_SAFE_INTEGER / 10 - 1;

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/**
 * The number that `bytes[start, end)` holds, as Python and tqdm write it; undefined when it is none. The usual forms
 * are read without making a text of them, which is what most of a log's reading would be.
 */
export function byteNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  let at = start;
  const negative = bytes[at] === MINUS;
  if (negative || bytes[at] === PLUS) {
    at++;
  }
  const first = at;
  let digits = 0;
  let scale = 0;
  let point = false;
  for (; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x30 && byte <= 0x39 && digits <= MAX_EXACT) {
      digits = digits * 10 + byte - 0x30;
      scale += point ? 1 : 0;
    } else if (byte === POINT && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (at < end || scale >= POWERS.length || at - first <= (point ? 1 : 0)) {
    return end - start > 40 ? undefined : unusualNumber(bytes, start, end);
  }
  // both are exact, so their quotient is the nearest number, as a parser of texts would find it
  const value = digits / (POWERS[scale] ?? 1);
  return negative ? -value : value;
}

function unusualNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  let text = '';
  for (let at = start; at < end; at++) {
    text += String.fromCharCode(bytes[at] ?? 0);
  }
  return textNumber(text);
}

/** The number that a text holds, NaN and infinities included; undefined when it is none. */
export function textNumber(text: string): number | undefined {
  // Lightning pads what it shows to five characters, which turns `nan` into `nan.0` (tao.md part 3)
  const special = /^([-+]?)(nan|inf(?:inity)?)(?:\.0?)?$/i.exec(text);
  if (special !== null) {
    const magnitude = special[2]?.toLowerCase() === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY;
    return special[1] === '-' ? -magnitude : magnitude;
  }
  return /^[-+]?(?:\d{1,400}\.?\d{0,400}|\.\d{1,400})(?:e[-+]?\d{1,4})?$/i.test(text)
    ? Number(text)
    : undefined;
}

/** Seconds of a duration as tqdm writes it, `MM:SS` or `H:MM:SS`; undefined when it is none. */
export function clockSeconds(bytes: Uint8Array, start: number, end: number): number | undefined {
  let seconds = 0;
  let part = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) {
      part = part * 10 + byte - 0x30;
    } else if (byte === 0x3a) {
      seconds = (seconds + part) * 60;
      part = 0;
    } else {
      return undefined;
    }
  }
  return end > start ? seconds + part : undefined;
}
