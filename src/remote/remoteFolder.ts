import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import listFolderScript from './listFolder.sh';
import type { RemoteOptions, RemoteShell } from './shell.ts';

/** A file or folder on an instance. */
export interface RemoteEntry {
  readonly name: string;
  /** What is behind it, where it is a link; `other` are devices, sockets and links that lead nowhere. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly isLink: boolean;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

export interface RemoteFolder {
  /** Absolute. */
  readonly path: string;
  /** Folders first, each by name. */
  readonly entries: readonly RemoteEntry[];
  /** Whether there are more than are told. */
  readonly isCut: boolean;
}

/** More than that nobody looks through, and it must fit into an answer. */
const MOST_ENTRIES = 2_000;

/** What is in a folder; the home directory where the path is empty. */
export async function listFolder(
  shell: Pick<RemoteShell, 'run'>,
  path: string,
  options: RemoteOptions,
): Promise<Outcome<RemoteFolder>> {
  const found = await ask(shell, path, '1', options);
  if (found.kind !== 'ok') {
    return found;
  }
  const {
    at,
    entries: [itself, ...entries],
  } = found.value;
  if (itself?.kind !== 'folder') {
    return failed({ kind: 'remoteFailed', message: message('{0} is no folder.', at), retrySafe: true });
  }
  return ok({
    path: at,
    entries: entries
      .slice(0, MOST_ENTRIES)
      .sort(
        (a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder') || a.name.localeCompare(b.name),
      ),
    isCut: entries.length > MOST_ENTRIES,
  });
}

/** What is at an absolute path. */
export async function lookAt(
  shell: Pick<RemoteShell, 'run'>,
  path: string,
  options: RemoteOptions,
): Promise<Outcome<RemoteEntry>> {
  const found = await ask(shell, path, '0', options);
  if (found.kind !== 'ok') {
    return found;
  }
  const [itself] = found.value.entries;
  return itself === undefined ? failed(unreadable(path)) : ok(itself);
}

async function ask(
  shell: Pick<RemoteShell, 'run'>,
  path: string,
  depth: '0' | '1',
  options: RemoteOptions,
): Promise<Outcome<{ readonly at: string; readonly entries: readonly RemoteEntry[] }>> {
  const answer = await shell.run(
    // one more than is shown, to tell whether there are more; and the place itself
    { text: listFolderScript, args: [path, depth, String(MOST_ENTRIES + 1)] },
    options,
  );
  if (answer.kind !== 'ok') {
    return answer;
  }
  const lineEnd = answer.value.stdout.indexOf('\n');
  const line = answer.value.stdout.slice(0, lineEnd);
  if (line === 'nothing' || line === 'forbidden') {
    return failed({
      kind: 'remoteFailed',
      message:
        line === 'nothing'
          ? message('There is no {0} on the instance any more.', path)
          : message('{0} may not be read by your user on the instance.', path),
      retrySafe: true,
    });
  }
  const text = Buffer.from(answer.value.stdout.slice(lineEnd + 1), 'base64').toString('utf8');
  const [at, ...entries] = text.split('\0');
  return line === 'at' && at !== undefined
    ? ok({ at, entries: entries.flatMap((entry) => parseEntry(entry) ?? []) })
    : failed(unreadable(path));
}

function parseEntry(text: string): RemoteEntry | undefined {
  const [, own, behind, bytes, time, name] = /^(\S) (\S) (\d+) (\d+)\S* (.*)$/s.exec(text) ?? [];
  if (bytes === undefined || time === undefined || name === undefined) {
    return undefined;
  }
  return {
    name,
    kind: behind === 'f' ? 'file' : behind === 'd' ? 'folder' : 'other',
    isLink: own === 'l',
    bytes: Number(bytes),
    modifiedAt: 1_000 * Number(time),
  };
}

function unreadable(path: string) {
  return {
    kind: 'unreadableAnswer',
    message: message('What is in {0} could not be read.', path),
    action: 'showLog',
    retrySafe: true,
  } as const;
}
