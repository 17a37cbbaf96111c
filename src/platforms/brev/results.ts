import type { RemoteOptions, RemoteShell } from '../../remote/shell.ts';
import type { Failure } from '../../values/failure.ts';
import { message } from '../../values/message.ts';
import { failed, type Outcome, ok } from '../../values/outcome.ts';
import type { JobResults, ResultFile, ResultPart, SentPart } from '../results.ts';
import listScript from './results.sh';
import { type ResultsListing, readListing } from './resultsListing.ts';
import sendScript from './resultsSend.sh';
import sumsScript from './resultsSums.sh';

/** More files than that are no results to look through one by one. */
const MAX_ENTRIES = 20_000;
const LIST_TIMEOUT_MS = 120_000;
const CALL_TIMEOUT_MS = 60_000;
/** A slow disk reads that much in a millisecond. */
const SUM_BYTES_PER_MS = 20_000;
/** Names in the arguments of one call: the exec route's command line holds 128 KiB, quotes included. */
const MAX_NAMES_BYTES = 32_768;

/** What job `jobId` left on the instance of this shell. */
export async function listResults(
  shell: RemoteShell,
  jobId: string,
  signal: AbortSignal,
): Promise<Outcome<JobResults>> {
  const answer = await shell.run(
    { text: listScript, args: [jobId, String(MAX_ENTRIES)] },
    { timeoutMs: LIST_TIMEOUT_MS, signal },
  );
  if (answer.kind !== 'ok') {
    return answer;
  }
  if (answer.value.exitCode === 3) {
    return failed({
      kind: 'jobLost',
      message: message('The folder of {0} is gone from the instance, and its results with it.', jobId),
      retrySafe: true,
    });
  }
  const listing = readListing(answer.value.stdout, jobId, MAX_ENTRIES);
  return listing === undefined
    ? failed(remoteFailed(message('The results of {0} could not be listed whole. Try again.', jobId)))
    : ok(new BrevResults(shell, jobId, listing));
}

class BrevResults implements JobResults {
  readonly files: ResultsListing['files'];
  readonly links: ResultsListing['links'];
  readonly unusable: ResultsListing['unusable'];
  readonly whole: boolean;
  readonly #shell: RemoteShell;
  readonly #jobId: string;

  constructor(shell: RemoteShell, jobId: string, listing: ResultsListing) {
    this.#shell = shell;
    this.#jobId = jobId;
    this.files = listing.files;
    this.links = listing.links;
    this.unusable = listing.unusable;
    this.whole = listing.whole;
  }

  async sums(
    files: readonly ResultFile[],
    signal: AbortSignal,
  ): Promise<Outcome<readonly (string | undefined)[]>> {
    const sums: (string | undefined)[] = [];
    for (const group of inGroups(files)) {
      const bytes = group.reduce((total, file) => total + file.bytes, 0);
      const answer = await this.#shell.run(
        { text: sumsScript, args: [this.#jobId, ...group.map(({ path }) => path)] },
        { timeoutMs: CALL_TIMEOUT_MS + Math.ceil(bytes / SUM_BYTES_PER_MS), signal },
      );
      if (answer.kind !== 'ok') {
        return answer;
      }
      const told = sumsByPath(answer.value.stdout);
      sums.push(...group.map(({ path }) => told.get(path)));
    }
    return ok(sums);
  }

  download(
    path: string,
    onBytes: (chunk: Uint8Array) => void,
    options: RemoteOptions,
  ): Promise<Outcome<number>> {
    return this.#shell.download(`.brev-jobs/${this.#jobId}/results/${path}`, onBytes, options);
  }

  async send(parts: readonly ResultPart[], options: RemoteOptions): Promise<Outcome<readonly SentPart[]>> {
    const fields = parts.flatMap(({ path, fileBytes, offset, bytes, url }) => [
      path,
      String(fileBytes),
      String(offset),
      String(bytes),
      url,
    ]);
    const answer = await this.#shell.run(
      { text: sendScript, args: [this.#jobId] },
      { ...options, input: Buffer.from(fields.map((field) => `${field}\0`).join('')) },
    );
    if (answer.kind !== 'ok') {
      return answer;
    }
    if (answer.value.exitCode === 4) {
      return failed(
        remoteFailed(
          message(
            'There is no curl on the instance, so it cannot upload anything. Download the results instead.',
          ),
        ),
      );
    }
    const told = new Map<number, SentPart>();
    for (const line of answer.value.stdout.split('\n')) {
      const [, index = '', what, rest = ''] = /^(\d+) (sent|refused) (.*)$/.exec(line) ?? [];
      if (what !== undefined) {
        told.set(
          Number(index),
          what === 'sent' ? { kind: what, etag: rest } : { kind: 'refused', reason: rest },
        );
      }
    }
    return ok(
      parts.map((_, index) => told.get(index) ?? { kind: 'refused', reason: 'the upload broke off' }),
    );
  }
}

function sumsByPath(stdout: string): ReadonlyMap<string, string> {
  const lines = Buffer.from(stdout.trim(), 'base64').toString('utf8').split('\0');
  return new Map(
    lines.flatMap((line) => {
      const [, sum, path] = /^([0-9a-f]{64}) [ *]\.\/(.+)$/s.exec(line) ?? [];
      return sum === undefined || path === undefined ? [] : [[path, sum] as const];
    }),
  );
}

/** As many files as the arguments of one call can name. */
function inGroups(files: readonly ResultFile[]): readonly (readonly ResultFile[])[] {
  const groups: ResultFile[][] = [];
  let room = 0;
  for (const file of files) {
    const size = Buffer.byteLength(file.path) + 16;
    if (size > room) {
      groups.push([]);
      room = MAX_NAMES_BYTES;
    }
    groups.at(-1)?.push(file);
    room -= size;
  }
  return groups;
}

function remoteFailed(sentence: Failure['message']): Failure {
  return { kind: 'remoteFailed', message: sentence, action: 'showLog', retrySafe: true };
}
