import { CliError } from './errors.ts';
import type { Invocation } from './run.ts';

export async function shell(_call: Invocation): Promise<void> {
  throw new CliError('not simulated yet');
}
