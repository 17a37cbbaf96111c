import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Clock } from '../process/clock.ts';

/** The CLI writes several files at a sign-in; one look after the last is enough. */
const SETTLE_MS = 300;

/**
 * Tells when something changed in the CLI's own folder (`~/.brev`), as a sign-in in a terminal or in another window
 * does. Used only while signed out, when nothing is polled.
 */
export async function watchSignIn(
  folder: string,
  clock: Clock,
  changed: () => void,
): Promise<{ dispose(): void }> {
  await mkdir(folder, { recursive: true });
  let cancel = (): void => undefined;
  const watcher: FSWatcher = watch(folder, () => {
    cancel();
    cancel = clock.after(SETTLE_MS, changed);
  });
  // a folder that vanishes ends the watch; the next look at the view begins another
  watcher.on('error', () => watcher.close());
  return {
    dispose: () => {
      cancel();
      watcher.close();
    },
  };
}
