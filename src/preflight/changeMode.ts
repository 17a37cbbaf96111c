import { chmod } from 'node:fs/promises';
import { errorCode } from '../process/errorCode.ts';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';

/** Does the fix of a file that others may read. */
export async function changeMode(file: string, mode: number): Promise<Outcome<void>> {
  try {
    await chmod(file, mode);
    return ok(undefined);
  } catch (error) {
    return failed({
      kind: 'localFile',
      message: message(
        'The permissions of {0} could not be changed ({1}).',
        file,
        errorCode(error) ?? String(error),
      ),
      retrySafe: true,
    });
  }
}
