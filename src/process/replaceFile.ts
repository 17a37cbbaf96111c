import { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from './errorCode.ts';

/** On Windows a virus scanner or a cloud folder holds a new file for a moment (users.md G, coder #841). */
const HELD: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);
const PAUSES_MS = [20, 50, 100, 200, 400];

/** Puts a finished file in the place of another one; waits for who holds one of them. Throws as rename does. */
export async function replaceFile(draft: string, file: string, move = rename): Promise<void> {
  for (const ms of PAUSES_MS) {
    try {
      await move(draft, file);
      return;
    } catch (error) {
      if (!HELD.has(errorCode(error) ?? '')) {
        throw error;
      }
    }
    await pause(ms);
  }
  await move(draft, file);
}
