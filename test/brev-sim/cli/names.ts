import { CliError } from './errors.ts';
import { type Run, readPipedStdin } from './run.ts';

/** Instance names from the arguments, then one per line of whatever is piped in. */
export async function namesFrom(run: Run, args: string[]): Promise<string[]> {
  const piped = await readPipedStdin(run);
  return [
    ...args,
    ...piped
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ];
}

/** As `namesFrom`, but at least one is needed. */
export async function requireNames(run: Run, args: string[]): Promise<string[]> {
  const names = await namesFrom(run, args);
  if (names.length === 0) {
    throw new CliError('instance name required: provide as argument or pipe from another command');
  }
  return names;
}

/** The names alone, for the next command of a pipe. */
export function printNames(run: Run, names: string[]): void {
  if (run.piped) run.out(names.map((name) => `${name}\n`).join(''));
}
