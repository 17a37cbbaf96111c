import type { ChildProcess } from 'node:child_process';
import type { Interruption } from './interruption.ts';

/**
 * How long the pipes may stay silent after the program has exited. A grandchild (ssh's connection master) can
 * hold them for minutes, so their end is not waited for (brev-cli.md part 6, Cancel).
 */
const QUIET_AFTER_EXIT_MS = 250;
/** How long they may go on talking: a pipe holds 64 KiB, so what the program itself wrote is long read by then. */
const TALK_AFTER_EXIT_MS = 1_000;

/** Waits until both pipes ended, or nothing has come for a while although the program is gone. */
export async function drained(
  child: ChildProcess,
  lastData: () => number,
  interrupted: Promise<Interruption>,
): Promise<Interruption | undefined> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null && stream !== undefined);
  // 'end' is what counts, and 'close' can come long after it; without an 'end' it is all there is
  const allEnded = Promise.all(
    streams.map((stream) =>
      stream.readableEnded || stream.destroyed
        ? undefined
        : new Promise((end) => stream.once('end', end).once('close', end)),
    ),
  );
  let timer: NodeJS.Timeout | undefined;
  let look: NodeJS.Immediate | undefined;
  const silence = new Promise<undefined>((resolve) => {
    const exitedAt = performance.now();
    const check = (): void => {
      const quietUntil = Math.max(lastData(), exitedAt) + QUIET_AFTER_EXIT_MS;
      const left = Math.min(quietUntil, exitedAt + TALK_AFTER_EXIT_MS) - performance.now();
      if (left > 0) {
        // timers come before input where the event loop was held up: the pipes get a turn before the verdict
        timer = setTimeout(() => {
          look = setImmediate(check);
        }, left);
      } else {
        resolve(undefined);
      }
    };
    check();
  });
  const meanwhile = await Promise.race([interrupted, allEnded.then(() => undefined), silence]);
  clearTimeout(timer);
  clearImmediate(look);
  for (const stream of streams) {
    stream.destroy();
  }
  return meanwhile;
}
