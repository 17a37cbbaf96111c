import type { Dialect } from '../cloud/state.ts';
import type { FlagSpec } from './flags.ts';
import type { Handler } from './run.ts';

/** A subcommand: its words, its flags, and how to load its code. */
export interface CommandSpec {
  name: string;
  aliases: string[];
  use: string;
  short: string;
  long?: string;
  example?: string;
  flags: FlagSpec[];
  /** Number of positional arguments that Cobra allows: [least, most]. */
  arity?: [number, number];
  children?: CommandSpec[];
  hidden?: boolean;
  since?: string;
  until?: string;
  dialect?: Dialect;
  /** Loads the code; each call of brev pays for one subcommand only. */
  load: () => Promise<Handler>;
}

export const GLOBAL_FLAGS: FlagSpec[] = [
  {
    name: 'no-check-latest',
    type: 'bool',
    usage: 'Do not check for the latest version when printing version',
  },
  {
    name: 'user',
    type: 'string',
    usage: 'Non root user to use for per user configuration of commands run as root',
  },
  { name: 'version', type: 'bool', usage: 'Print version output' },
];

/** Flags that several commands have. */
export const JSON_FLAG: FlagSpec = { name: 'json', type: 'bool', usage: 'Output as JSON' };
export const HOST_FLAG: FlagSpec = {
  name: 'host',
  type: 'bool',
  usage: 'Use the host machine instead of the container',
};
export const ORG_FLAG: FlagSpec = {
  name: 'org',
  short: 'o',
  type: 'string',
  usage: 'Organization, by name (default: the active one)',
};
