import { setTimeout as wait } from 'node:timers/promises';

const GUARD_MS = 30_000;
const EVERY_MS = 10;

/** Waits for a condition that nothing announces, such as a file of another process or its end. */
export async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + GUARD_MS;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`never came true: ${check.toString()}`);
    await wait(EVERY_MS);
  }
}
