import { type Clock, sleep } from '../process/clock.ts';
import type { InstanceStore } from './store.ts';

/** Should a sign-in go unnoticed, it is found out after that long. */
const LOOK_AGAIN_MS = 300_000;

/** Settles when the CLI's calls are of use again: while it is signed out or missing nothing is asked of it (users.md D). */
export async function untilUsable(
  store: Pick<InstanceStore, 'needsUser' | 'onChange'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (!store.needsUser) {
    return;
  }
  const usable = new AbortController();
  const unsubscribe = store.onChange(() => {
    if (!store.needsUser) {
      usable.abort();
    }
  });
  await sleep(clock, LOOK_AGAIN_MS, AbortSignal.any([signal, usable.signal]));
  unsubscribe();
}
