import { shortLine } from './excerpt.ts';

/** The last line of a traceback. */
export interface ExceptionLine {
  readonly type: string;
  readonly text: string;
}

const ENDINGS = ['Error', 'Exception', 'Interrupt', 'Exit'];
const MAX_NAME = 120;
/** Names that are found even when a word is glued before them. */
const BUILT_IN =
  /(?:RuntimeError|ValueError|KeyError|TypeError|IndexError|AttributeError|AssertionError|FileNotFoundError|OSError|MemoryError|ImportError|ModuleNotFoundError|NotImplementedError|PermissionError|ZeroDivisionError|KeyboardInterrupt|FloatingPointError|UnicodeDecodeError|ConnectionError|TimeoutError|EOFError)$/;

/**
 * Finds `package.SomeError: its text` in a line of a traceback. It begins the line, or what stands before it lost its
 * line end and so touches it; code such as `except ValueError:` has a space there.
 */
export function exceptionIn(line: string): ExceptionLine | undefined {
  let best: ExceptionLine | undefined;
  let bestAt = line.length;
  for (const ending of ENDINGS) {
    // the first few are enough: an exception's own text may hold others
    let at = line.indexOf(ending);
    for (let count = 0; at >= 0 && count < 20; count++) {
      const end = at + ending.length;
      const begin = beginOf(line, at);
      const found = begin < bestAt ? lineAt(line, begin, end) : undefined;
      if (found !== undefined) {
        best = found;
        bestAt = begin;
        break;
      }
      at = line.indexOf(ending, end);
    }
  }
  return best;
}

function lineAt(line: string, begin: number, end: number): ExceptionLine | undefined {
  const name = line.slice(begin, end);
  const follows = line.slice(end, end + 2);
  if (!/^[A-Za-z_]/.test(name) || !(follows.startsWith(': ') || follows.trim() === '' || follows === ':')) {
    return undefined;
  }
  const text = shortLine(line.slice(end + 1));
  if (begin === 0) {
    return { type: name, text };
  }
  if (/[\s'"(,]/.test(line.charAt(begin - 1)) || follows.trim() === '') {
    return undefined;
  }
  return { type: BUILT_IN.exec(name)?.[0] ?? name, text };
}

/** Where the dotted name that ends at a place begins. */
function beginOf(line: string, end: number): number {
  let begin = end;
  while (begin > 0 && end - begin < MAX_NAME && /[\w.]/.test(line.charAt(begin - 1))) {
    begin--;
  }
  // what is glued before may end in a point
  return line.charAt(begin) === '.' ? begin + 1 : begin;
}
