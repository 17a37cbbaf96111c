import type { Dialect } from '../cloud/state.ts';
import { CliError } from './errors.ts';

export type FlagType = 'bool' | 'string' | 'int' | 'float';

export interface FlagSpec {
  name: string;
  short?: string;
  type: FlagType;
  usage: string;
  /** Shown as "(default …)" and used where the flag isn't given. */
  byDefault?: string;
  hidden?: boolean;
  /** First and last version, and dialect, that have it. */
  since?: string;
  until?: string;
  dialect?: Dialect;
}

/** The values of a command's flags after parsing. */
export class Flags {
  private readonly values = new Map<string, string>();
  private readonly specs: FlagSpec[];

  constructor(specs: FlagSpec[]) {
    this.specs = specs;
  }

  set(name: string, value: string): void {
    this.values.set(name, value);
  }

  given(name: string): boolean {
    return this.values.has(name);
  }

  text(name: string): string {
    return this.values.get(name) ?? this.specs.find((spec) => spec.name === name)?.byDefault ?? '';
  }

  on(name: string): boolean {
    return this.text(name) === 'true';
  }

  number(name: string): number {
    return Number(this.text(name) || '0');
  }
}

export interface Parsed {
  flags: Flags;
  args: string[];
  dashAt: number | undefined;
}

/** Parses words as spf13/pflag does, flags and arguments interspersed, with its error texts. */
export function parseFlags(words: string[], specs: FlagSpec[]): Parsed {
  const flags = new Flags(specs);
  const args: string[] = [];
  let dashAt: number | undefined;
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      dashAt = args.length;
      args.push(...rest);
      break;
    }
    if (word.startsWith('--')) parseLong(word, rest, specs, flags);
    else if (word.startsWith('-') && word !== '-') parseShort(word, rest, specs, flags);
    else args.push(word);
  }
  return { flags, args, dashAt };
}

function parseLong(word: string, rest: string[], specs: FlagSpec[], flags: Flags): void {
  const [name = '', ...tail] = word.slice(2).split('=');
  if (name === '' || name.startsWith('-')) throw new CliError(`bad flag syntax: ${word}`);
  const spec = specs.find((candidate) => candidate.name === name);
  if (spec === undefined) throw new CliError(`unknown flag: --${name}`);
  let value = word.includes('=') ? tail.join('=') : undefined;
  if (value === undefined) {
    if (spec.type === 'bool') value = 'true';
    else {
      value = rest.shift();
      if (value === undefined) throw new CliError(`flag needs an argument: --${name}`);
    }
  }
  flags.set(name, check(spec, value));
}

function parseShort(word: string, rest: string[], specs: FlagSpec[], flags: Flags): void {
  let letters = word.slice(1);
  while (letters !== '') {
    const letter = letters.slice(0, 1);
    const spec = specs.find((candidate) => candidate.short === letter);
    if (spec === undefined) throw new CliError(`unknown shorthand flag: '${letter}' in -${letters}`);
    let tail = letters.slice(1);
    if (spec.type === 'bool' && !tail.startsWith('=')) {
      flags.set(spec.name, 'true');
      letters = tail;
      continue;
    }
    if (tail === '') {
      const next = rest.shift();
      if (next === undefined) throw new CliError(`flag needs an argument: '${letter}' in -${letters}`);
      tail = next;
    } else if (tail.startsWith('=')) tail = tail.slice(1);
    flags.set(spec.name, check(spec, tail));
    letters = '';
  }
}

function check(spec: FlagSpec, value: string): string {
  const problem = valueProblem(spec.type, value);
  if (problem === undefined)
    return spec.type === 'bool' ? String(/^(1|t|T|true|TRUE|True)$/.test(value)) : value;
  const shown = spec.short === undefined ? `--${spec.name}` : `-${spec.short}, --${spec.name}`;
  throw new CliError(
    `invalid argument ${JSON.stringify(value)} for "${shown}" flag: strconv.${problem}: parsing ${JSON.stringify(value)}: invalid syntax`,
  );
}

/** The Go parse function that would refuse this value. */
function valueProblem(type: FlagType, value: string): string | undefined {
  switch (type) {
    case 'string':
      return undefined;
    case 'bool':
      return /^(1|t|T|true|TRUE|True|0|f|F|false|FALSE|False)$/.test(value) ? undefined : 'ParseBool';
    case 'int':
      return /^[+-]?\d+$/.test(value) ? undefined : 'ParseInt';
    case 'float':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? undefined : 'ParseFloat';
  }
}
