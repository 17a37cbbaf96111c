import { after, from, shortLine } from './excerpt.ts';
import type { Trouble } from './trouble.ts';

export function missingFile(text: string): Trouble | undefined {
  const path = quoted(text, 'No such file or directory');
  return path === undefined ? undefined : { kind: 'missingFile', path };
}

export function missingSpecFile(text: string): Trouble | undefined {
  const path = /^([^`]{1,500})` doesn't exist/.exec(after(text, 'experiment spec file `') ?? '')?.[1];
  return path === undefined ? undefined : { kind: 'missingFile', path };
}

/** `: 'path'` behind a word, as Python's OSError has it. */
export function quoted(text: string, word: string): string | undefined {
  const [, single, double] = /^: (?:b?'([^']{1,500})'|b?"([^"]{1,500})")/.exec(after(text, word) ?? '') ?? [];
  return single ?? double;
}

/** `Key 'num_epoch' not in 'ExperimentConfig'`; the full key stands in a line of its own. */
export function unknownKey(text: string): Trouble | undefined {
  const key = /^Key '([^']{1,200})' not in '/.exec(from(text, "Key '") ?? '')?.[1];
  return key === undefined ? undefined : { kind: 'unknownSpecKey', key };
}

export function named(text: string, word: string, make: (name: string) => Trouble): Trouble | undefined {
  const name = /^[^'\s]{1,200}/.exec(after(text, word) ?? '')?.[0];
  return name === undefined ? undefined : make(name);
}

export function missingValue(text: string): Trouble | undefined {
  return named(text, 'Missing mandatory value: ', (key) => ({ kind: 'missingSpecValue', key }));
}

export function badValue(text: string): Trouble | undefined {
  const words = from(text, "Value '") ?? from(text, 'Invalid value ') ?? '';
  return /^(?:Value '|Invalid value ')/.test(words)
    ? { kind: 'badSpecValue', key: undefined, text: shortLine(words) }
    : undefined;
}

export function gatedModel(text: string): Trouble | undefined {
  const [, url] =
    /huggingface\.co\/([\w.-]{1,100}\/[\w.-]{1,100})/.exec(from(text, 'huggingface.co/') ?? '') ?? [];
  const [, named] =
    /^([\w.-]{1,100}\/[\w.-]{1,100}) is restricted/.exec(after(text, 'Access to model ') ?? '') ?? [];
  if (!text.includes('gated repo') && named === undefined) {
    return undefined;
  }
  return { kind: 'gatedModel', model: named ?? url?.replace(/\.$/, ''), hasToken: undefined };
}
