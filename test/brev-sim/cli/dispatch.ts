import { isAtLeast } from '../cloud/state.ts';
import { type CommandSpec, GLOBAL_FLAGS } from './command-spec.ts';
import { COMMANDS } from './commands.ts';
import { CliError } from './errors.ts';
import { type FlagSpec, parseFlags } from './flags.ts';
import type { Run } from './run.ts';

/** Words of the command line resolved to a command. */
export interface Target {
  path: string;
  spec: CommandSpec;
  words: string[];
}

/** Finds the subcommand as Cobra does; undefined for bare `brev` (with or without global flags). */
export function findCommand(run: Run, words: string[]): Target | undefined {
  const index = words.findIndex((word) => !word.startsWith('-'));
  const name = words[index];
  if (name === undefined) return undefined;
  const spec = available(run).find(
    (candidate) => candidate.name === name || candidate.aliases.includes(name),
  );
  if (spec === undefined) throw new CliError(`unknown command ${JSON.stringify(name)} for "brev"`);
  const rest = words.toSpliced(index, 1);
  const childIndex = rest.findIndex((word) => !word.startsWith('-'));
  const child = spec.children?.find((candidate) => candidate.name === rest[childIndex]);
  return child === undefined
    ? { path: `brev ${spec.name}`, spec, words: rest }
    : { path: `brev ${spec.name} ${child.name}`, spec: child, words: rest.toSpliced(childIndex, 1) };
}

/** Runs the command line; the promise rejects with a CliError for what the CLI would report. */
export async function dispatch(run: Run, target: Target | undefined): Promise<void> {
  if (target === undefined) {
    await runRoot(run);
    return;
  }
  const { path, spec, words } = target;
  const own = flagsOf(run, spec);
  const { flags, args, dashAt } = parseFlags(words, [...own, ...GLOBAL_FLAGS]);
  if (flags.on('help')) {
    const { helpOf } = await import('./help.ts');
    run.out(helpOf(path, spec, own, GLOBAL_FLAGS));
    return;
  }
  checkArity(spec, args);
  const handler = await spec.load();
  await handler({ run, flags, args, dashAt });
}

/** The commands of this version and dialect. */
export function available(run: Run): CommandSpec[] {
  return COMMANDS.filter((spec) => exists(run, spec));
}

async function runRoot(run: Run): Promise<void> {
  const { flags } = parseFlags(run.args, [helpFlag('brev'), ...GLOBAL_FLAGS]);
  if (flags.on('version')) {
    const { printVersion } = await import('./misc.ts');
    printVersion(run, flags.on('no-check-latest'));
    return;
  }
  const { rootUsage } = await import('./help.ts');
  const usage = rootUsage(available(run), GLOBAL_FLAGS);
  // Asked for, it is output; bare `brev` prints it to stderr (contract 1).
  if (flags.on('help')) run.out(`Manage instances on NVIDIA Brev\n\n${usage}`);
  else run.err(usage);
}

function flagsOf(run: Run, spec: CommandSpec): FlagSpec[] {
  return [...spec.flags.filter((flag) => exists(run, flag)), helpFlag(spec.name)];
}

function helpFlag(name: string): FlagSpec {
  return { name: 'help', short: 'h', type: 'bool', usage: `help for ${name}` };
}

function exists(run: Run, thing: Pick<CommandSpec, 'since' | 'until' | 'dialect'>): boolean {
  if (thing.dialect !== undefined && thing.dialect !== run.dialect) return false;
  if (thing.since !== undefined && !run.since(thing.since)) return false;
  return thing.until === undefined || isAtLeast(thing.until, run.version);
}

function checkArity(spec: CommandSpec, args: string[]): void {
  if (spec.arity === undefined) return;
  const [least, most] = spec.arity;
  if (least === most && args.length !== least) {
    throw new CliError(`accepts ${least} arg(s), received ${args.length}`);
  }
  if (args.length < least) {
    throw new CliError(`requires at least ${least} arg(s), only received ${args.length}`);
  }
}
