import { CliError } from './errors.ts';
import { reachInstance } from './reach-instance.ts';
import { localBash } from './remote.ts';
import type { Invocation } from './run.ts';

/** `brev shell NAME`: an interactive ssh on the caller's own stdin. */
export async function shell({ run, flags, args }: Invocation): Promise<void> {
  const instance = await reachInstance(run, args[0] ?? '');
  const alias = flags.on('host') ? `${instance.name}-host` : instance.name;
  // The agent is always started, and its greeting is the first line of stdout (contract 8).
  const code = await localBash(run, `eval $(ssh-agent -s) && ssh ${alias}`, { stdin: 'inherit' });
  if (code === 0) return;
  run.err(
    "brev shell failed. If the above SSH error is unclear, try running 'brev refresh' and reconnecting.\n",
  );
  throw new CliError(`exit status ${code}`);
}
