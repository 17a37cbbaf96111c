import type { RemoteOptions } from '../remote/shell.ts';
import type { Outcome } from '../values/outcome.ts';

/** One file that a job left; its path is relative to the job's results, with slashes. */
export interface ResultFile {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since the epoch, by the instance's clock. */
  readonly modified: number;
}

/** A symbolic link among the results, such as `<net>_model_latest.pth`. */
export interface ResultLink {
  readonly path: string;
  /** What it stands for, as a path in the results; undefined when that lies elsewhere. */
  readonly target: string | undefined;
}

/** Why something among the results can't be had. */
export type UnusableReason = 'unreadable' | 'special' | 'name';

export interface UnusableResult {
  readonly path: string;
  readonly reason: UnusableReason;
}

/** A piece of a file to be put at a URL that allows just that. The URL is a secret. */
export interface ResultPart {
  readonly path: string;
  /** How long the whole file must be: another length means that it changed since it was listed. */
  readonly fileBytes: number;
  readonly offset: number;
  readonly bytes: number;
  readonly url: string;
}

/** What became of a part: the server's entity tag, or why it isn't there. */
export type SentPart =
  | { readonly kind: 'sent'; readonly etag: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** What a job left behind, as it was listed, and the ways to get at it. */
export interface JobResults {
  readonly files: readonly ResultFile[];
  readonly links: readonly ResultLink[];
  readonly unusable: readonly UnusableResult[];
  /** False when there are more than were listed. */
  readonly whole: boolean;
  /** The sha256 of files as they are now, in order; undefined for what can't be read. */
  sums(files: readonly ResultFile[], signal: AbortSignal): Promise<Outcome<readonly (string | undefined)[]>>;
  /** RemoteShell.download for one of the files. */
  download(
    path: string,
    onBytes: (chunk: Uint8Array) => void,
    options: RemoteOptions,
  ): Promise<Outcome<number>>;
  /** Lets the machine that has the results put parts of them at their URLs; the answers are in the same order. */
  send(parts: readonly ResultPart[], options: RemoteOptions): Promise<Outcome<readonly SentPart[]>>;
}
