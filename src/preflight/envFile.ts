import { mkdir, open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, systemClock } from '../process/clock.ts';
import type { Failure } from '../values/failure.ts';
import { type Message, message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { DraftLock } from './draftLock.ts';
import {
  type Assignment,
  type EnvFault,
  editEnv,
  envValues,
  isEnvKey,
  isUsableValue,
  parseEnv,
} from './envText.ts';
import { errorCode } from './errorCode.ts';

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

const MAX_BYTES = 256 * 1024;
/** Somebody who edits without the lock may be in between that often. */
const ATTEMPTS = 5;
const MAX_LINKS = 20;

/** Where NVIDIA's TAO tools keep credentials and placement. */
export function taoEnvFile(home: string): string {
  return path.join(home, '.config', 'tao', '.env');
}

/** Reads an env file. None at all is an empty one; one that can't be read or understood is a failure. */
export async function readEnvFile(file: string): Promise<Outcome<EnvFile>> {
  const read = await load(file);
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
    const read = await load(target);
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

interface Loaded {
  readonly exists: boolean;
  readonly text: string;
  readonly assignments: readonly Assignment[];
  readonly ignoredLines: readonly number[];
  readonly mode: number | undefined;
  readonly identity: string;
}

const NO_FILE: Loaded = {
  exists: false,
  text: '',
  assignments: [],
  ignoredLines: [],
  mode: undefined,
  identity: '',
};

async function load(file: string): Promise<Outcome<Loaded>> {
  try {
    const identity = await identify(file);
    if (identity === '') {
      return ok(NO_FILE);
    }
    const status = await stat(file);
    if (status.isDirectory()) {
      return refuse(message('{0} is a folder, not a file. It is left as it is.', file));
    }
    if (!status.isFile()) {
      return refuse(message('{0} is not an ordinary file. It is left as it is.', file));
    }
    if (status.size > MAX_BYTES) {
      return refuse(message('{0} is too large for an env file. It is left as it is.', file));
    }
    const text = await readUtf8(file);
    if (text === undefined) {
      return refuse(message('{0} is not UTF-8 text. It is left as it is; repair it by hand.', file));
    }
    const parsed = parseEnv(text);
    if (parsed.kind === 'corrupt') {
      return refuse(faultSentence(file, parsed.fault));
    }
    const { assignments, ignoredLines } = parsed;
    const mode = process.platform === 'win32' ? undefined : status.mode & 0o777;
    return ok({ exists: true, text, assignments, ignoredLines, mode, identity });
  } catch (error) {
    return refuse(unusable(file, error, 'read'));
  }
}

/** The text, or undefined when its bytes are no UTF-8. A byte order mark stays in it. */
async function readUtf8(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await handle.readFile());
  } catch (error) {
    if (errorCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      return undefined;
    }
    throw error;
  } finally {
    await handle.close();
  }
}

/** Changes with every change of the file; empty when there is none. */
async function identify(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return '';
    }
    throw error;
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

function faultSentence(file: string, fault: EnvFault): Message {
  switch (fault.kind) {
    case 'binary':
      return message('{0} is not a text file. It is left as it is; repair it by hand.', file);
    case 'noAssignments':
      return message(
        '{0} is not an env file: no line has the form KEY=VALUE. It is left as it is; repair it by hand.',
        file,
      );
    case 'openQuote':
      return message(
        '{0}: the quote that begins in line {1} is not closed. The file is left as it is; repair it by hand.',
        file,
        fault.line,
      );
    case 'textAfterQuote':
      return message(
        '{0}: in line {1} something stands behind the closing quote. The file is left as it is; repair it by hand.',
        file,
        fault.line,
      );
  }
}

function busy(file: string): Message {
  return message('{0} is being changed by another program. Try again.', file);
}

function unusable(file: string, error: unknown, doing: 'read' | 'write'): Message {
  const code = errorCode(error);
  if (code === undefined) {
    throw error;
  }
  const refused = code === 'EACCES' || code === 'EPERM';
  switch (doing) {
    case 'read':
      return refused
        ? message('You may not read {0}. Check its permissions and owner.', file)
        : message('{0} could not be read ({1}).', file, code);
    case 'write':
      return refused
        ? message('You may not write {0}. Check the permissions of the file and its folder.', file)
        : message('{0} could not be written ({1}).', file, code);
  }
}

function refuse(sentence: Message): Outcome<never> {
  const failure: Failure = { kind: 'localFile', message: sentence, retrySafe: true };
  return failed(failure);
}
