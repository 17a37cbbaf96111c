import { GoPanic } from './errors.ts';
import { writeSshConfig } from './refresh.ts';
import type { Invocation } from './run.ts';
import { signIn } from './session.ts';

/** Hidden `brev run-tasks`: rewrites the ssh config every 3 s until SIGTERM. */
export async function runTasks({ run, flags }: Invocation): Promise<void> {
  if (flags.on('detached'))
    throw new GoPanic('runtime error: invalid memory address or nil pointer dereference');
  const session = signIn(run);
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  while (!stop.signal.aborted) {
    writeSshConfig(run, session);
    await run.sleep(3_000, stop.signal);
  }
  run.out('stopping\nstopped\n');
}
