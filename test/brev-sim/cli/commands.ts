import { ACCESS_COMMANDS } from './access-commands.ts';
import { ACCOUNT_COMMANDS } from './account-commands.ts';
import type { CommandSpec } from './command-spec.ts';
import { INSTANCE_COMMANDS } from './instance-commands.ts';

/** Every subcommand that the simulator knows, of whatever version and dialect. */
export const COMMANDS: CommandSpec[] = [...INSTANCE_COMMANDS, ...ACCESS_COMMANDS, ...ACCOUNT_COMMANDS];
