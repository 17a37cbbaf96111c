import { mkdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, systemClock } from '../process/clock.ts';
import { errorCode } from '../process/errorCode.ts';
import { type Message, message } from '../values/message.ts';
import { type Outcome, ok } from '../values/outcome.ts';
import { DraftLock } from './draftLock.ts';
import { identify, loadEnv, refuse, unusable } from './envContent.ts';
import { editEnv, envValues, isEnvKey, isUsableValue } from './envText.ts';

/** What an env file says. */
export interface EnvFile {
  readonly path: string;
  /** False when there is none, which is no fault. */
  readonly exists: boolean;
  readonly values: ReadonlyMap<string, string>;
  /** Lines (from 1) that could not be understood. */
  readonly ignoredLines: readonly number[];
  /** Permission bits; undefined where there is no file, or the system has none. */
  readonly mode: number | undefined;
  /** Whether others than the user may read or change it. */
  readonly tooOpen: boolean;
}

/** Somebody who edits without the lock may be in between that often. */
const ATTEMPTS = 5;
const MAX_LINKS = 20;

/** Reads an env file. None at all is an empty one; one that can't be read or understood is a failure. */
export async function readEnvFile(file: string): Promise<Outcome<EnvFile>> {
  const read = await loadEnv(file);
  if (read.kind !== 'ok') {
    return read;
  }
  const { exists, assignments, ignoredLines, mode } = read.value;
  return ok({
    path: file,
    exists,
    values: envValues(assignments),
    ignoredLines,
    mode,
    tooOpen: mode !== undefined && (mode & 0o077) !== 0,
  });
}

/**
 * Sets values and leaves everything else in the file byte for byte as it is. The file is replaced at once, by one
 * writer at a time among all windows, and is then the user's alone (0600); it and its folder are made where missing.
 */
export async function setValues(
  file: string,
  values: Readonly<Record<string, string>>,
  clock: Clock = systemClock,
): Promise<Outcome<void>> {
  const objected = objection(file, values);
  return objected === undefined ? changeValues(file, () => values, clock) : refuse(objected);
}

/** Sets values that depend on what the file says now; `choose` may be asked again when that changes meanwhile. */
export async function changeValues(
  file: string,
  choose: (now: ReadonlyMap<string, string>) => Readonly<Record<string, string>>,
  clock: Clock = systemClock,
): Promise<Outcome<void>> {
  try {
    const target = await followLinks(file);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const written = await replaceOnce(target, choose, clock);
      if (written !== 'again') {
        return written;
      }
    }
    return refuse(busy(file));
  } catch (error) {
    return refuse(unusable(file, error, 'write'));
  }
}

/** Why these values cannot stand in the file; undefined when they can. */
function objection(file: string, values: Readonly<Record<string, string>>): Message | undefined {
  for (const [key, value] of Object.entries(values)) {
    if (!isEnvKey(key)) {
      return message('{0} cannot be the name of a value in {1}.', JSON.stringify(key), file);
    }
    if (!isUsableValue(value)) {
      return message('The value of {0} must be one line of text.', key);
    }
  }
  return undefined;
}

async function replaceOnce(
  target: string,
  choose: (now: ReadonlyMap<string, string>) => Readonly<Record<string, string>>,
  clock: Clock,
): Promise<Outcome<void> | 'again'> {
  const lock = await DraftLock.take(target, clock);
  if (lock === undefined) {
    return refuse(busy(target));
  }
  try {
    const read = await loadEnv(target);
    if (read.kind !== 'ok') {
      return read;
    }
    const { text, assignments, identity } = read.value;
    const values = choose(envValues(assignments));
    const objected = objection(target, values);
    if (objected !== undefined) {
      return refuse(objected);
    }
    const edited = editEnv(text, assignments, new Map(Object.entries(values)));
    if ((await identify(target)) !== identity) {
      return 'again';
    }
    return (await lock.commit(edited)) ? ok(undefined) : 'again';
  } finally {
    await lock.release();
  }
}

/** The file behind symbolic links, also where it doesn't exist yet: the link stays, its target is written. */
async function followLinks(file: string): Promise<string> {
  let target = file;
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      const link = await readlink(target);
      target = path.resolve(await realpath(path.dirname(target)), link);
    } catch (error) {
      const code = errorCode(error);
      // EINVAL: not a link
      if (code === 'EINVAL' || code === 'ENOENT' || code === 'UNKNOWN') {
        return target;
      }
      throw error;
    }
  }
  return target;
}

function busy(file: string): Message {
  return message('{0} is being changed by another program. Try again.', file);
}
