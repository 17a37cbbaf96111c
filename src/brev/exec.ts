import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { type BrevCommand, type CommandOutput, nothing } from './command.ts';
import { isUsableName } from './instanceName.ts';

/**
 * Runs one command line on an instance. The command must exit 0 by itself: any other exit makes the CLI run it a
 * second time and hides the code (brev-cli.md part 6). The name must be usable, because it goes unquoted into a shell.
 */
export function exec(name: string, commandLine: string, timeoutMs: number): Outcome<BrevCommand<string>> {
  const args = execArguments(name, commandLine);
  return args.kind === 'ok'
    ? ok({
        name: 'exec',
        args: args.value,
        timeoutMs,
        readOnly: false,
        parse: ({ stdout }: CommandOutput) => ok(stdout),
      })
    : args;
}

/** The argv of an exec, for a process or a terminal. One string is the command: `--` groups nothing. */
export function execArguments(name: string, commandLine: string): Outcome<readonly string[]> {
  const usable = requireUsableName(name);
  if (usable.kind !== 'ok') {
    return usable;
  }
  // a command that starts with @ is read as a local file; one that starts with - as flags
  const line = /^[@-]/.test(commandLine) ? ` ${commandLine}` : commandLine;
  return ok(['exec', name, line]);
}

/** The argv of an interactive shell on an instance. */
export function shellArguments(name: string): Outcome<readonly string[]> {
  const usable = requireUsableName(name);
  return usable.kind === 'ok' ? ok(['shell', name]) : usable;
}

/** Rewrites the CLI's ssh settings for all running instances. */
export function refresh(): BrevCommand<void> {
  return { name: 'refresh', args: ['refresh'], timeoutMs: 60_000, readOnly: true, parse: nothing };
}

/** Refuses a name that would be read by a local shell. */
export function requireUsableName(name: string): Outcome<void> {
  return isUsableName(name)
    ? ok(undefined)
    : failed({
        kind: 'unusableName',
        message: message(
          'The name {0} has characters that the Brev CLI would hand to a local shell, so no command is run on it. Rename it in the Brev console.',
          JSON.stringify(name),
        ),
        action: 'openConsole',
        retrySafe: false,
      });
}
