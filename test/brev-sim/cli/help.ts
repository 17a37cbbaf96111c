import type { CommandSpec } from './command-spec.ts';
import type { FlagSpec } from './flags.ts';

/** The `--help` text of one command, in Cobra's form. */
export function helpOf(path: string, spec: CommandSpec, flags: FlagSpec[], globals: FlagSpec[]): string {
  return `${spec.long ?? spec.short}\n\n${usageOf(path, spec, flags, globals)}`;
}

export function usageOf(path: string, spec: CommandSpec, flags: FlagSpec[], globals: FlagSpec[]): string {
  const parent = path.split(' ').slice(0, -1).join(' ');
  const parts = [`Usage:\n  ${parent} ${spec.use}`];
  const children = spec.children ?? [];
  if (children.length > 0) parts[0] += `\n  ${path} [command]`;
  if (spec.aliases.length > 0) parts.push(`Aliases:\n  ${[spec.name, ...spec.aliases].join(', ')}`);
  if (spec.example !== undefined) parts.push(`Examples:\n${spec.example}`);
  if (children.length > 0)
    parts.push(`Available Commands:\n${children.map((child) => row(child)).join('\n')}`);
  parts.push(`Flags:\n${flagUsages(flags)}`, `Global Flags:\n${flagUsages(globals)}`);
  const text = parts.join('\n\n');
  return children.length > 0
    ? `${text}\n\nUse "${path} [command] --help" for more information about a command.\n`
    : `${text}\n`;
}

/** What bare `brev` and `brev --help` print below the description. */
export function rootUsage(commands: CommandSpec[], globals: FlagSpec[]): string {
  const shown = commands.filter((command) => command.hidden !== true);
  const help: FlagSpec = { name: 'help', short: 'h', type: 'bool', usage: 'help for brev' };
  return `Usage:\n  brev [flags]\n  brev [command]\n\nCommands:\n${shown.map((command) => row(command)).join('\n')}\n\nFlags:\n${flagUsages([help, ...globals])}\n\nUse "brev [command] --help" for more information about a command.\n`;
}

/** pflag's table of flags. */
export function flagUsages(flags: FlagSpec[]): string {
  const rows = flags
    .filter((flag) => flag.hidden !== true)
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map((flag) => ({ left: leftOf(flag), right: flag.usage + defaultOf(flag) }));
  const width = Math.max(0, ...rows.map((entry) => entry.left.length));
  return rows.map((entry) => `${entry.left.padEnd(width)}   ${entry.right}`).join('\n');
}

function row(command: CommandSpec): string {
  return `  ${command.name.padEnd(14)} ${command.short}`;
}

function leftOf(flag: FlagSpec): string {
  const names = flag.short === undefined ? `      --${flag.name}` : `  -${flag.short}, --${flag.name}`;
  return flag.type === 'bool' ? names : `${names} ${flag.type}`;
}

function defaultOf(flag: FlagSpec): string {
  if (flag.byDefault === undefined || flag.byDefault === '' || flag.byDefault === '0') return '';
  return flag.type === 'string' ? ` (default "${flag.byDefault}")` : ` (default ${flag.byDefault})`;
}
