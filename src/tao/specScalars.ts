import type { Node } from 'yaml';
import { type Message, message } from '../values/message.ts';

/** A text in a spec, with where it stands. */
export interface SpecScalar {
  readonly value: string;
  /** The keys that lead to it; an item of a list has its index. */
  readonly keyPath: readonly string[];
  /** From 1. */
  readonly line: number;
}

/** A spec as far as its texts go, or what keeps it from being read. */
export type SpecReading =
  | { readonly kind: 'read'; readonly scalars: readonly SpecScalar[] }
  | { readonly kind: 'unreadable'; readonly problem: Message; readonly line: number | undefined }
  /** Too large to be looked at: nothing is known about it. */
  | { readonly kind: 'tooLarge' };

/** Parsing blocks the extension host for up to half a second at that size; specs have some kilobytes. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_DEPTH = 100;

/**
 * Reads the texts of a spec's YAML, without ever building its values: an alias stands for the one text it names, so
 * nothing can multiply. Never throws for what the file holds.
 */
export async function readSpec(content: Uint8Array | string): Promise<SpecReading> {
  const text = typeof content === 'string' ? content : decode(content);
  if (text === undefined) {
    return unreadable(message('The spec is not UTF-8 text.'));
  }
  if (text.length > MAX_CHARACTERS) {
    return { kind: 'tooLarge' };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for; TAO's reader refuses them.
  const control = /[\0-\x08\x0b\x0c\x0e-\x1f]/.exec(text);
  if (control !== null) {
    const line = text.slice(0, control.index).split('\n').length;
    return unreadable(message('Line {0} of the spec holds a control character.', line), line);
  }
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  // its own search for keys given twice compares each with each: 30,000 keys take 8 s
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    // when silent it says nothing of a second document
    logLevel: 'error',
  });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    return unreadable(errorSentence(error.code, error.message, line), line);
  }
  if (!yaml.isMap(document.contents)) {
    return unreadable(message('The spec is empty, or its top is not a list of keys with values.'), 1);
  }
  return new ScalarWalk(yaml, (offset) => lines.linePos(offset).line).read(document.contents);
}

/** UTF-8, with or without a byte-order mark. */
function decode(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) {
      return undefined;
    }
    throw error;
  }
}

function unreadable(problem: Message, line?: number): SpecReading {
  return { kind: 'unreadable', problem, line };
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

/** Collects the texts below a node in the order of the file. */
class ScalarWalk {
  readonly #yaml: typeof import('yaml');
  readonly #lineOf: (offset: number) => number;
  readonly #scalars: SpecScalar[] = [];
  readonly #anchors = new Map<string, unknown>();
  #problem: SpecReading | undefined;

  constructor(yaml: typeof import('yaml'), lineOf: (offset: number) => number) {
    this.#yaml = yaml;
    this.#lineOf = lineOf;
  }

  read(top: Node): SpecReading {
    this.#visit(top, [], 1);
    return this.#problem ?? { kind: 'read', scalars: this.#scalars };
  }

  #visit(node: unknown, keyPath: readonly string[], lineAbove: number): void {
    const { isAlias, isMap, isNode, isPair, isScalar, isSeq } = this.#yaml;
    if (!isNode(node) || this.#problem !== undefined) {
      return;
    }
    const line = node.range ? this.#lineOf(node.range[0]) : lineAbove;
    if (keyPath.length > MAX_DEPTH) {
      this.#problem = unreadable(message('The spec is nested too deeply at line {0}.', line), line);
      return;
    }
    if (isAlias(node)) {
      // what a list or a map holds was collected where it stands
      const target = this.#anchors.get(node.source);
      if (target === undefined) {
        this.#problem = unreadable(
          message('Line {0} of the spec uses *{1}, which is not defined above it.', line, node.source),
          line,
        );
      } else if (isScalar(target)) {
        this.#collect(target.value, keyPath, line);
      }
      return;
    }
    if ('anchor' in node && typeof node.anchor === 'string') {
      this.#anchors.set(node.anchor, node);
    }
    if (isScalar(node)) {
      this.#collect(node.value, keyPath, line);
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) {
        // a pair in a list is a map of one, as `- ? a` makes it
        this.#visit(isPair(item) ? item.value : item, [...keyPath, String(index)], line);
      }
    } else if (isMap(node)) {
      const seen = new Set<string>();
      for (const { key, value } of node.items) {
        // a list or a map as a key has no name that another could repeat
        const name = isScalar(key) ? String(key.value) : '?';
        const keyLine = isNode(key) && key.range ? this.#lineOf(key.range[0]) : line;
        if (isScalar(key) && seen.has(name) && name !== '<<') {
          this.#problem = unreadable(
            message('The spec gives {0} twice, the second time in line {1}.', name, keyLine),
            keyLine,
          );
          return;
        }
        if (isScalar(key)) {
          seen.add(name);
        }
        this.#visit(value, [...keyPath, name], keyLine);
      }
    }
  }

  #collect(value: unknown, keyPath: readonly string[], line: number): void {
    if (typeof value === 'string') {
      this.#scalars.push({ value, keyPath, line });
    }
  }
}
