import { usageError } from './failure.ts';

export type FlagKind = 'bool' | 'value';

interface Flag {
  name: string;
  short: string;
  kind: FlagKind;
}

/** What a command takes: its name, its usage tail, its flags, and whether flags may follow words. */
export interface CommandLine {
  command: string;
  usage: string;
  flags: Map<string, Flag>;
  /** False for run, create and exec: what follows the image belongs to the container. */
  interspersed: boolean;
}

/** Reads a flag table: words such as `d,detach` (a switch) and `e,env=` (takes a value). */
export function commandLine(command: string, usage: string, table: string, interspersed = true): CommandLine {
  const flags = new Map<string, Flag>();
  for (const word of table.trim().split(/\s+/)) {
    if (word === '') continue;
    const kind: FlagKind = word.endsWith('=') ? 'value' : 'bool';
    const names = (kind === 'value' ? word.slice(0, -1) : word).split(',');
    const name = names.at(-1) ?? '';
    const flag: Flag = { name, short: names.length > 1 ? (names[0] ?? '') : '', kind };
    flags.set(`--${name}`, flag);
    if (flag.short !== '') flags.set(`-${flag.short}`, flag);
  }
  return { command, usage, flags, interspersed };
}

/** The flags and words of one call. */
export class ParsedLine {
  readonly line: CommandLine;
  readonly words: string[] = [];
  private readonly values = new Map<string, string[]>();

  constructor(line: CommandLine) {
    this.line = line;
  }

  add(name: string, value: string): void {
    const known = this.values.get(name);
    if (known === undefined) this.values.set(name, [value]);
    else known.push(value);
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  list(name: string): string[] {
    return this.values.get(name) ?? [];
  }

  value(name: string): string | undefined {
    return this.list(name).at(-1);
  }

  on(name: string, whenAbsent = false): boolean {
    const value = this.value(name);
    return value === undefined ? whenAbsent : ['true', 't', 'T', 'TRUE', 'True', '1'].includes(value);
  }

  fail(message: string): never {
    throw usageError(this.line.command, this.line.usage, message);
  }

  /** Cobra's complaint about a flag's value; `why` is the parser's own text. */
  invalid(name: string, value: string, why: string): never {
    const flag = this.line.flags.get(`--${name}`);
    const label = flag === undefined || flag.short === '' ? `--${name}` : `-${flag.short}, --${name}`;
    this.fail(`invalid argument "${value}" for "${label}" flag: ${why}`);
  }
}

/** Thrown for `--help`: the caller prints the usage and exits 0. */
export class HelpAsked extends Error {}

/** Parses as docker's Cobra/pflag does. */
export function parseLine(line: CommandLine, args: string[]): ParsedLine {
  const parsed = new ParsedLine(line);
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      parsed.words.push(...rest);
      break;
    }
    if (arg.startsWith('--')) takeLong(parsed, arg, rest);
    else if (arg.startsWith('-') && arg !== '-') takeShorts(parsed, arg, rest);
    else {
      parsed.words.push(arg);
      if (!line.interspersed) {
        parsed.words.push(...rest);
        break;
      }
    }
  }
  return parsed;
}

function takeLong(parsed: ParsedLine, arg: string, rest: string[]): void {
  const equals = arg.indexOf('=');
  const key = equals < 0 ? arg : arg.slice(0, equals);
  if (key === '--help') throw new HelpAsked();
  const flag = parsed.line.flags.get(key);
  if (flag === undefined) parsed.fail(`unknown flag: ${key}`);
  const value = equals >= 0 ? arg.slice(equals + 1) : flag.kind === 'bool' ? 'true' : rest.shift();
  if (value === undefined) parsed.fail(`flag needs an argument: ${key}`);
  accept(parsed, flag, value);
}

function takeShorts(parsed: ParsedLine, arg: string, rest: string[]): void {
  for (let at = 1; at < arg.length; at++) {
    const letter = arg.charAt(at);
    const flag = parsed.line.flags.get(`-${letter}`);
    if (flag === undefined) {
      if (letter === 'h') throw new HelpAsked();
      parsed.fail(`unknown shorthand flag: '${letter}' in -${arg.slice(at)}`);
    }
    const tail = arg.slice(at + 1);
    if (flag.kind === 'bool' && !tail.startsWith('=')) {
      accept(parsed, flag, 'true');
      continue;
    }
    const value = tail === '' ? rest.shift() : tail.replace(/^=/, '');
    if (value === undefined) parsed.fail(`flag needs an argument: '${letter}' in -${arg.slice(at)}`);
    accept(parsed, flag, value);
    return;
  }
}

function accept(parsed: ParsedLine, flag: Flag, value: string): void {
  if (flag.kind === 'bool' && !/^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(value)) {
    parsed.invalid(flag.name, value, `strconv.ParseBool: parsing "${value}": invalid syntax`);
  }
  parsed.add(flag.name, value);
}
