import { open, stat } from 'node:fs/promises';
import { errorCode } from '../process/errorCode.ts';
import type { Failure } from '../values/failure.ts';
import { type Message, message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { type Assignment, type EnvFault, parseEnv } from './envText.ts';

const MAX_BYTES = 256 * 1024;

/** An env file as it lies on the disk. */
export interface LoadedEnv {
  readonly exists: boolean;
  readonly text: string;
  readonly assignments: readonly Assignment[];
  readonly ignoredLines: readonly number[];
  readonly mode: number | undefined;
  readonly identity: string;
}

const NO_FILE: LoadedEnv = {
  exists: false,
  text: '',
  assignments: [],
  ignoredLines: [],
  mode: undefined,
  identity: '',
};

/** Reads the file, or says what keeps it from being read and changed. None at all is an empty one. */
export async function loadEnv(file: string): Promise<Outcome<LoadedEnv>> {
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
export async function identify(file: string): Promise<string> {
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

/** What the user reads of a file operation that failed. */
export function unusable(file: string, error: unknown, doing: 'read' | 'write'): Message {
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

export function refuse(sentence: Message): Outcome<never> {
  const failure: Failure = { kind: 'localFile', message: sentence, retrySafe: true };
  return failed(failure);
}
