import type { RemoteShell } from '../../remote/shell.ts';
import { message } from '../../values/message.ts';
import { failed, type Outcome, ok } from '../../values/outcome.ts';
import script from './launchCheck.sh';

/** A path below a mounted folder of the home directory. */
export interface AskedPath {
  readonly folder: string;
  /** Empty for the folder itself. */
  readonly rest: string;
}

/** What is at a path; `outside`: a link leads where the container can't follow. */
export type SeenPath = 'file' | 'folder' | 'empty' | 'missing' | 'outside';

/** What the instance said; a fact that it didn't tell is undefined. */
export interface RemoteFacts {
  readonly docker:
    | { readonly kind: 'missing' }
    | { readonly kind: 'down'; readonly words: string }
    | { readonly kind: 'up'; readonly version: string }
    | undefined;
  readonly gpuRuntime: boolean | undefined;
  readonly gpus: number | undefined;
  readonly imagePresent: boolean | undefined;
  readonly freeBytes: number | undefined;
  /** As the paths that were asked for. */
  readonly paths: readonly (SeenPath | undefined)[];
}

/** The first command on a fresh instance may take that long (features.md row 14). */
const TIMEOUT_MS = 600_000;
/** What fits on a command line beside the script (brev-cli.md part 6: 128 kB, quotes included). */
const MAX_ARGUMENT_BYTES = 40_000;

/** Asks the instance everything that a launch needs to know, in one round trip. */
export async function askInstance(
  shell: Pick<RemoteShell, 'run'>,
  image: string,
  paths: readonly AskedPath[],
  signal: AbortSignal,
): Promise<Outcome<RemoteFacts>> {
  const answer = await shell.run(
    { text: script, args: [image, ...argumentsOf(paths)] },
    { timeoutMs: TIMEOUT_MS, signal },
  );
  if (answer.kind !== 'ok') {
    return answer;
  }
  const facts = readFacts(answer.value.stdout, paths.length);
  return facts === undefined
    ? failed({
        kind: 'unreadableAnswer',
        message: message('The instance could not be looked at: its answer broke off. Try again.'),
        action: 'showLog',
        retrySafe: true,
        detail: answer.value.stdout,
      })
    : ok(facts);
}

function argumentsOf(paths: readonly AskedPath[]): readonly string[] {
  const args: string[] = [];
  let room = MAX_ARGUMENT_BYTES;
  for (const { folder, rest } of paths) {
    // in quotes, which a quote in it makes longer
    room -= Buffer.byteLength(folder) + Buffer.byteLength(rest.replaceAll("'", "'\\''")) + 6;
    if (room < 0) {
      break;
    }
    args.push(folder, rest);
  }
  return args;
}

/** Reads the answer of launchCheck.sh; undefined when it isn't whole. */
export function readFacts(stdout: string, pathCount: number): RemoteFacts | undefined {
  const lines = stdout.split('\n');
  if (!lines.includes('end')) {
    return undefined;
  }
  const facts = new Map<string, string>();
  const paths: (SeenPath | undefined)[] = Array.from({ length: pathCount }, () => undefined);
  for (const line of lines) {
    const [, name = '', value = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
    const [, index = '', seen = ''] = name === 'path' ? (/^(\d+) (\w+)$/.exec(value) ?? []) : [];
    if (index !== '' && isSeenPath(seen)) {
      paths[Number(index)] = seen;
    } else if (name !== '') {
      facts.set(name, value);
    }
  }
  const freeKilobytes = wholeNumber(facts.get('free'));
  return {
    docker: readDocker(facts.get('docker')),
    gpuRuntime: yesOrNo(facts.get('runtime'), 'yes', 'no'),
    gpus: wholeNumber(facts.get('gpus')),
    imagePresent: yesOrNo(facts.get('image'), 'present', 'absent'),
    freeBytes: freeKilobytes === undefined ? undefined : freeKilobytes * 1024,
    paths: paths.slice(0, pathCount),
  };
}

function readDocker(value: string | undefined): RemoteFacts['docker'] {
  const [, kind, words = ''] = /^(missing|down|up) ?(.*)$/.exec(value ?? '') ?? [];
  switch (kind) {
    case 'missing':
      return { kind: 'missing' };
    case 'down':
      return { kind: 'down', words: words.trim() };
    case 'up':
      return { kind: 'up', version: words.trim() };
    default:
      return undefined;
  }
}

function yesOrNo(value: string | undefined, yes: string, no: string): boolean | undefined {
  return value === yes ? true : value === no ? false : undefined;
}

function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}

function isSeenPath(text: string): text is SeenPath {
  return ['file', 'folder', 'empty', 'missing', 'outside'].includes(text);
}
