import { type Message, message } from '../../values/message.ts';
import { FILE_BEGIN, type Place, Places } from './place.ts';
import type { SpecFix } from './specProblem.ts';
import { SpecWalk } from './specWalk.ts';

/** One value of a spec, or a list or map of them, with where it stands. */
export interface SpecEntry {
  /** The keys that lead to it; an item of a list has its index. */
  readonly keyPath: readonly string[];
  readonly kind: 'text' | 'number' | 'boolean' | 'null' | 'list' | 'map';
  /** Null for lists and maps: what they hold are entries of their own. */
  readonly value: string | number | boolean | null;
  readonly place: Place;
  /** Of the key that it is given by; of the value itself in a list. */
  readonly keyPlace: Place;
}

/** Something that is wrong with the YAML. */
export interface SpecFault {
  readonly problem: Message;
  /** Undefined when it is nowhere in particular. */
  readonly place: Place | undefined;
  readonly fix?: SpecFix;
}

/** A spec as far as it can be read without ever building its values. */
export interface SpecDocument {
  /** In the order of the file. */
  readonly entries: readonly SpecEntry[];
  /** What other programs may stumble over, although it could be read here. */
  readonly remarks: readonly (SpecFault & { readonly isHarmless: boolean })[];
}

export type SpecParsing =
  | { readonly kind: 'read'; readonly document: SpecDocument }
  | { readonly kind: 'unreadable'; readonly faults: readonly [SpecFault, ...SpecFault[]] }
  /** Too large to be looked at: nothing is known about it. */
  | { readonly kind: 'tooLarge' };

/** Parsing blocks the extension host for up to half a second at that size; specs have some kilobytes. */
const MAX_CHARACTERS = 256 * 1024;
/** So many places are enough to be shown. */
const MAX_FAULTS = 50;

/** Reads a spec's YAML: entries with their places, or what keeps it from being read. Never throws for what it holds. */
export async function parseSpec(content: Uint8Array | string): Promise<SpecParsing> {
  const decoded = typeof content === 'string' ? content : decode(content);
  if (decoded === undefined) {
    return unreadable({ problem: message('The spec is not UTF-8 text.'), place: undefined });
  }
  const hasBom = decoded.startsWith('\ufeff');
  const text = hasBom ? decoded.slice(1) : decoded;
  if (text.length > MAX_CHARACTERS) {
    return { kind: 'tooLarge' };
  }
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for; TAO's reader refuses them.
  const control = /[\0-\x08\x0b\x0c\x0e-\x1f]/.exec(text);
  if (control !== null) {
    const before = text.slice(0, control.index).split('\n');
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, length: 1 };
    return unreadable({
      problem: message('Line {0} of the spec holds a control character.', place.line),
      place,
    });
  }
  // its own search for keys given twice compares each with each: 30,000 keys take 8 s
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    // when silent it says nothing of a second document
    logLevel: 'error',
  });
  const places = new Places(text, lines);
  const [error, ...otherErrors] = document.errors.map(({ code, message: words, pos }): SpecFault => {
    const place = places.at(pos[0], pos[1]);
    return {
      problem: errorSentence(code, words, place.line),
      place,
      ...(code === 'TAB_AS_INDENT' ? { fix: { kind: 'spacesForTabs' } } : {}),
    };
  });
  if (error !== undefined) {
    return unreadable(error, ...otherErrors);
  }
  if (!yaml.isMap(document.contents)) {
    return unreadable({
      problem: message('The spec is empty, or its top is not a list of keys with values.'),
      place: FILE_BEGIN,
    });
  }
  const walk = new SpecWalk(yaml, places);
  walk.read(document.contents);
  const [fault, ...otherFaults] = walk.faults;
  return fault !== undefined
    ? unreadable(fault, ...otherFaults)
    : {
        kind: 'read',
        document: { entries: walk.entries, remarks: [...byteRemarks(text, hasBom), ...walk.remarks] },
      };
}

function decode(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) {
      return undefined;
    }
    throw error;
  }
}

function unreadable(first: SpecFault, ...others: readonly SpecFault[]): SpecParsing {
  return { kind: 'unreadable', faults: [first, ...others.slice(0, MAX_FAULTS)] };
}

/** TAO's reader takes them; they show that the file was made on another kind of computer. */
function byteRemarks(text: string, hasBom: boolean): SpecDocument['remarks'] {
  const remarks: SpecDocument['remarks'][number][] = [];
  if (hasBom) {
    remarks.push({
      problem: message('The spec begins with a byte-order mark. TAO reads it; other tools may not.'),
      place: FILE_BEGIN,
      isHarmless: true,
    });
  }
  const at = text.indexOf('\r\n');
  if (at >= 0) {
    const line = text.slice(0, at).split('\n').length;
    const column = at - text.lastIndexOf('\n', at);
    remarks.push({
      problem: message('The spec has Windows line ends. TAO reads them; other tools may not.'),
      place: { line, column: Math.max(1, column), length: 1 },
      isHarmless: true,
      fix: { kind: 'unixLineEnds' },
    });
  }
  return remarks;
}

function errorSentence(code: string, words: string, line: number): Message {
  switch (code) {
    case 'TAB_AS_INDENT':
      return message('Line {0} of the spec is indented with a tab; YAML allows only spaces there.', line);
    case 'MULTIPLE_DOCS':
      return message('The spec holds a second document from line {0} on; TAO reads only one.', line);
    case 'RESOURCE_EXHAUSTION':
      return message('The spec is nested too deeply at line {0}.', line);
    default:
      return message('The spec is not valid YAML at line {0}: {1}', line, words.split('\n', 1)[0] ?? '');
  }
}
