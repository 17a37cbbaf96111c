import type { JobResults, ResultFile, ResultPart, SentPart } from '../platforms/results.ts';
import { inParallel } from '../preflight/launch/inParallel.ts';
import { tellTrouble } from '../preflight/launch/s3Trouble.ts';
import type { S3Credentials, S3Trouble } from '../storage/s3.ts';
import type { S3Path } from '../storage/s3Path.ts';
import { S3Upload } from '../storage/s3Upload.ts';
import type { Failure } from '../values/failure.ts';
import { inEnglish, type Message, message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import {
  changedBetween,
  changedMeanwhile,
  forUpload,
  type ResultsSource,
  type SavedResults,
  type SaveProgress,
  totalBytes,
  transferTimeoutMs,
  whyNotWhole,
} from './results.ts';
import { batchesOf, type Piece, piecesOf } from './resultsParts.ts';

/** Longer than a batch takes; whoever got hold of a URL could put something else there for so long. */
const URL_SECONDS = 3_600;
const LOOKS_AT_ONCE = 8;
/** Parts that nobody finishes are thrown away although the upload was cancelled; nobody waits longer for it. */
const CLEANUP_MS = 30_000;
const MAX_KEY_BYTES = 1_024;

export interface UploadOptions extends ResultsSource {
  /** Below it the job gets a folder that is named after it; the key may be empty. */
  readonly destination: S3Path;
  /** True when the destination itself is the job's folder; its key isn't empty then. */
  readonly isExact?: boolean;
  readonly credentials: S3Credentials;
  readonly onProgress: (progress: SaveProgress) => void;
  readonly signal: AbortSignal;
  readonly fetch?: typeof globalThis.fetch;
  readonly partBytes?: number;
}

/**
 * Lets the instance put a job's results into S3, by URLs that are signed here: it never has a key. Ok only when every
 * object was looked at afterwards and has the size of its file, and nothing changed meanwhile.
 */
export async function uploadResults(options: UploadOptions): Promise<Outcome<SavedResults>> {
  const { jobId, signal } = options;
  options.onProgress({ step: 'listing', doneBytes: 0, totalBytes: 0 });
  const listed = await options.list(signal);
  if (listed.kind !== 'ok') {
    return listed;
  }
  const refused = whyNotWhole(jobId, listed.value) ?? keyTooLong(listed.value.files, options);
  return refused === undefined ? new Upload(options, listed.value).run() : failed(refused);
}

class Upload {
  readonly #options: UploadOptions;
  readonly #results: JobResults;
  readonly #files: readonly ResultFile[];
  readonly #s3: S3Upload;
  /** Uploads in parts that aren't finished, by the path of their file. */
  readonly #open = new Map<string, { readonly uploadId: string; readonly etags: string[] }>();
  #doneBytes = 0;

  constructor(options: UploadOptions, results: JobResults) {
    this.#options = options;
    this.#results = results;
    this.#files = forUpload(results.files);
    this.#s3 = new S3Upload(options.credentials, options.signal, options.fetch);
  }

  async run(): Promise<Outcome<SavedResults>> {
    const { destination, partBytes, signal } = this.#options;
    const bucket = await this.#s3.bucket(destination);
    // keys that may only write can't list
    if (bucket.kind !== 'reachable' && bucket.kind !== 'accessDenied') {
      return this.#trouble(bucket);
    }
    try {
      for (const batch of batchesOf(this.#files.flatMap((file) => piecesOf(file, partBytes)))) {
        this.#progress('transferring');
        const sent = await this.#send(batch);
        if (sent.kind !== 'ok') {
          return sent;
        }
        if (signal.aborted) {
          return cancelled;
        }
      }
    } finally {
      await this.#dropOpen();
    }
    this.#progress('verifying');
    return this.#verify();
  }

  async #send(batch: readonly Piece[]): Promise<Outcome<void>> {
    const parts: ResultPart[] = [];
    for (const piece of batch) {
      const url = await this.#urlFor(piece);
      if (url.kind !== 'ok') {
        return url;
      }
      const { file, offset, bytes } = piece;
      parts.push({ path: file.path, fileBytes: file.bytes, offset, bytes, url: url.value });
    }
    const bytes = batch.reduce((total, piece) => total + piece.bytes, 0);
    const sent = await this.#results.send(parts, {
      timeoutMs: transferTimeoutMs(bytes),
      signal: this.#options.signal,
    });
    if (sent.kind !== 'ok') {
      return sent;
    }
    for (const [index, piece] of batch.entries()) {
      const finished = await this.#take(piece, sent.value[index]);
      if (finished.kind !== 'ok') {
        return finished;
      }
    }
    this.#doneBytes += bytes;
    return ok(undefined);
  }

  async #urlFor({ file, number }: Piece): Promise<Outcome<string>> {
    const path = this.#pathOf(file);
    let part: { readonly uploadId: string; readonly number: number } | undefined;
    if (number !== undefined) {
      let open = this.#open.get(file.path);
      if (open === undefined) {
        const opened = await this.#s3.openParts(path);
        if (opened.kind !== 'opened') {
          return this.#trouble(opened);
        }
        open = { uploadId: opened.uploadId, etags: [] };
        this.#open.set(file.path, open);
      }
      part = { uploadId: open.uploadId, number };
    }
    const url = await this.#s3.putUrl(path, URL_SECONDS, part);
    return url.kind === 'url' ? ok(url.url) : this.#trouble(url);
  }

  /** Notes that a piece arrived; after the last one of a file its object is made of them. */
  async #take({ file, number, offset, bytes }: Piece, sent: SentPart | undefined): Promise<Outcome<void>> {
    if (sent?.kind !== 'sent') {
      return failed(notPut(file, sent?.reason ?? ''));
    }
    const open = this.#open.get(file.path);
    if (number === undefined || open === undefined) {
      return ok(undefined);
    }
    open.etags[number - 1] = sent.etag;
    if (offset + bytes < file.bytes) {
      return ok(undefined);
    }
    const finished = await this.#s3.finishParts(this.#pathOf(file), open.uploadId, open.etags);
    if (finished.kind !== 'finished') {
      return this.#trouble(finished);
    }
    this.#open.delete(file.path);
    return ok(undefined);
  }

  async #verify(): Promise<Outcome<SavedResults>> {
    const { destination, jobId, list, signal } = this.#options;
    let failure: Outcome<never> | undefined;
    await inParallel(this.#files, LOOKS_AT_ONCE, async (file) => {
      if (failure === undefined) {
        const stored = await this.#s3.look(this.#pathOf(file));
        failure ??=
          stored.kind === 'object' && stored.bytes === file.bytes
            ? undefined
            : stored.kind === 'object' || stored.kind === 'missing'
              ? failed(notVerified(file))
              : this.#trouble(stored);
      }
    });
    if (failure !== undefined) {
      return failure;
    }
    const again = await list(signal);
    if (again.kind !== 'ok') {
      return again;
    }
    const changed = changedBetween(this.#results, again.value);
    if (changed.length > 0) {
      return failed(changedMeanwhile(changed));
    }
    const { files, links } = this.#results;
    return ok({
      jobId,
      where: `s3://${destination.bucket}/${folderKey(this.#options)}/`,
      files: this.#files.length,
      bytes: totalBytes(this.#files),
      linksElsewhere: links.filter((link) => link.target === undefined).map((link) => link.path),
      changed,
      listing: { files, links },
    });
  }

  async #dropOpen(): Promise<void> {
    if (this.#open.size === 0) {
      return;
    }
    const { credentials, fetch } = this.#options;
    const s3 = new S3Upload(credentials, AbortSignal.timeout(CLEANUP_MS), fetch, CLEANUP_MS);
    for (const file of this.#files) {
      const open = this.#open.get(file.path);
      if (open !== undefined) {
        // what fails here leaves parts that a bucket's own rule cleans up; the results are where they were
        await s3.dropParts(this.#pathOf(file), open.uploadId);
      }
    }
  }

  #pathOf(file: ResultFile): S3Path {
    return {
      bucket: this.#options.destination.bucket,
      key: `${folderKey(this.#options)}/${file.path}`,
    };
  }

  #trouble(trouble: S3Trouble): Outcome<never> {
    return trouble.kind === 'cancelled'
      ? cancelled
      : failed(s3Failure(tellTrouble(trouble, this.#options.destination.bucket, 1).sentence));
  }

  #progress(step: SaveProgress['step']): void {
    this.#options.onProgress({ step, doneBytes: this.#doneBytes, totalBytes: totalBytes(this.#files) });
  }
}

/** The key of the job's own folder; no slash at either end. */
function folderKey({
  destination,
  isExact,
  jobId,
}: Pick<UploadOptions, 'destination' | 'isExact' | 'jobId'>): string {
  const prefix = destination.key.replace(/\/+$/, '');
  if (isExact === true) {
    return prefix;
  }
  return prefix === '' ? jobId : `${prefix}/${jobId}`;
}

function keyTooLong(files: readonly ResultFile[], options: UploadOptions): Failure | undefined {
  const long = files.find((file) => Buffer.byteLength(`${folderKey(options)}/${file.path}`) > MAX_KEY_BYTES);
  return long === undefined
    ? undefined
    : s3Failure(message('The path of {0} is too long for S3. Choose a shorter place.', long.path));
}

function notPut(file: ResultFile, reason: string): Failure {
  return s3Failure(
    /HTTP 403/.test(reason)
      ? message('S3 refused {0} ({1}). These keys may not write there (s3:PutObject).', file.path, reason)
      : /^\(\d+\)/.test(reason)
        ? message('The instance cannot reach the S3 server: {0}', reason)
        : message('{0} was not uploaded: {1}', file.path, reason),
  );
}

function notVerified(file: ResultFile): Failure {
  return s3Failure(message('{0} is not in S3 as it is on the instance.', file.path));
}

function s3Failure(sentence: Message): Failure {
  return {
    kind: 'remoteFailed',
    message: sentence,
    action: 'showLog',
    retrySafe: true,
    detail: inEnglish(sentence),
  };
}
