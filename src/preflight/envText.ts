/** One `KEY=VALUE`, and where its value stands in the text, quotes included. */
export interface Assignment {
  readonly key: string;
  readonly value: string;
  /** Whether the line begins with `export`. */
  readonly exported: boolean;
  readonly start: number;
  readonly end: number;
}

/** The text of an env file, understood; or why it can't be. */
export type EnvText =
  | {
      readonly kind: 'parsed';
      readonly assignments: readonly Assignment[];
      /** Lines (from 1) that are neither assignment, comment nor blank. */
      readonly ignoredLines: readonly number[];
    }
  | { readonly kind: 'corrupt'; readonly fault: EnvFault };

/** What makes a text unusable as an env file; lines count from 1. */
export type EnvFault =
  | { readonly kind: 'binary' }
  | { readonly kind: 'noAssignments' }
  | { readonly kind: 'openQuote'; readonly line: number }
  | { readonly kind: 'textAfterQuote'; readonly line: number };

const KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;
const ASSIGNMENT = /[ \t]*(export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/y;
const BLANK_OR_COMMENT = /[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|$)/y;
const LINE_END = /\r\n|\n|\r/;
const NEXT_LINE_END = /\r\n|\n|\r/g;

export function isEnvKey(key: string): boolean {
  return KEY.test(key);
}

/**
 * Reads what a shell would read from the file, without expanding variables. A quoted value may go over several lines.
 * A text in which it isn't clear where a value ends is corrupt: editing it could lose something.
 */
export function parseEnv(text: string): EnvText {
  if (text.includes('\0')) {
    return corrupt({ kind: 'binary' });
  }
  const assignments: Assignment[] = [];
  const ignoredLines: number[] = [];
  let position = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  while (position < text.length) {
    let end = endOfLine(text, position);
    const key = matchAt(ASSIGNMENT, text, position);
    if (key !== undefined) {
      const value = readValue(text, position + key[0].length, end);
      if (value === 'unclosed') {
        return corrupt({ kind: 'openQuote', line });
      }
      end = endOfLine(text, value.end);
      if (!/^(?:[ \t]*|[ \t]+#.*)$/.test(text.slice(value.end, end))) {
        return corrupt({ kind: 'textAfterQuote', line });
      }
      assignments.push({ key: key[2] ?? '', exported: key[1] !== undefined, ...value });
    } else if (matchAt(BLANK_OR_COMMENT, text, position) === undefined) {
      ignoredLines.push(line);
    }
    line += text.slice(position, end).split(LINE_END).length;
    position = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
  return assignments.length === 0 && ignoredLines.length > 0
    ? corrupt({ kind: 'noAssignments' })
    : { kind: 'parsed', assignments, ignoredLines };
}

/** The value of each key; the last one wins. */
export function envValues(assignments: readonly Assignment[]): ReadonlyMap<string, string> {
  return new Map(assignments.map(({ key, value }) => [key, value]));
}

/**
 * The text with these values: the last assignment of a key gets the new value in its place, a new key is appended;
 * everything else stays as it is, line ends included.
 */
export function editEnv(
  text: string,
  assignments: readonly Assignment[],
  values: ReadonlyMap<string, string>,
): string {
  // some readers take only exported lines: a new line is like the one before
  const prefix = assignments.at(-1)?.exported === true ? 'export ' : '';
  const added: string[] = [];
  const replaced: { readonly start: number; readonly end: number; readonly value: string }[] = [];
  for (const [key, value] of values) {
    const last = assignments.findLast((assignment) => assignment.key === key);
    if (last === undefined) {
      added.push(`${prefix}${key}=${quoteValue(value)}`);
    } else if (last.value !== value) {
      replaced.push({ start: last.start, end: last.end, value: quoteValue(value) });
    }
  }
  let result = text;
  for (const { start, end, value } of replaced.sort((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + value + result.slice(end);
  }
  const lineEnd = LINE_END.exec(text)?.[0] ?? '\n';
  if (added.length > 0 && result !== '' && result !== '\uFEFF' && !/[\r\n]$/.test(result)) {
    result += lineEnd;
  }
  return result + added.map((line) => line + lineEnd).join('');
}

/** Whether a value can stand in an env file: on one line, and the same after it was written and read. */
export function isUsableValue(value: string): boolean {
  return !/[\r\n]/.test(value) && !value.includes('\0') && value.isWellFormed();
}

/** Quoted where a shell would otherwise do something with it, in the way that most readers agree on. */
function quoteValue(value: string): string {
  if (/^[A-Za-z0-9_./:@%+,=-]*$/.test(value)) {
    return value;
  }
  return /['\\]/.test(value) ? `"${value.replace(/["\\$`]/g, '\\$&')}"` : `'${value}'`;
}

function readValue(
  text: string,
  afterEquals: number,
  lineEnd: number,
): Pick<Assignment, 'value' | 'start' | 'end'> | 'unclosed' {
  const rest = text.slice(afterEquals, lineEnd);
  const indent = rest.length - rest.trimStart().length;
  const start = afterEquals + indent;
  switch (text[start]) {
    case "'": {
      const close = text.indexOf("'", start + 1);
      return close < 0 ? 'unclosed' : { value: text.slice(start + 1, close), start, end: close + 1 };
    }
    case '"': {
      const close = closingQuote(text, start);
      return close === undefined
        ? 'unclosed'
        : { value: unquote(text.slice(start + 1, close)), start, end: close + 1 };
    }
    default: {
      // a # is a comment only behind a blank: tokens may contain it
      const comment = rest.search(/[ \t]#/);
      const value = (comment < 0 ? rest : rest.slice(0, comment)).trim();
      return value === ''
        ? { value, start: afterEquals, end: afterEquals }
        : { value, start, end: start + value.length };
    }
  }
}

function closingQuote(text: string, open: number): number | undefined {
  for (let index = open + 1; index < text.length; index++) {
    if (text[index] === '\\') {
      index++;
    } else if (text[index] === '"') {
      return index;
    }
  }
  return undefined;
}

/** Inside double quotes a shell takes a backslash away only before these; before a line end both go. */
function unquote(quoted: string): string {
  return quoted.replace(/\\(["\\$`]|\r?\n)/g, (_, escaped: string) => (/\n$/.test(escaped) ? '' : escaped));
}

function endOfLine(text: string, from: number): number {
  NEXT_LINE_END.lastIndex = from;
  return NEXT_LINE_END.exec(text)?.index ?? text.length;
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text) ?? undefined;
}

function corrupt(fault: EnvFault): EnvText {
  return { kind: 'corrupt', fault };
}
