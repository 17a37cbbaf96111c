import type { Outcome } from '../values/outcome.ts';

/** A bash script and its positional arguments ($1, $2, …). It must not need stdin. */
export interface RemoteScript {
  readonly text: string;
  readonly args: readonly string[];
}

/** What a script answered: its own exit code, told in-band, and its stdout. */
export interface RemoteAnswer {
  readonly exitCode: number;
  readonly stdout: string;
}

/** A file to be written; the path is relative to the home directory. */
export interface RemoteFile {
  readonly path: string;
  readonly content: Uint8Array;
}

export interface RemoteOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A shell on one running instance. Scripts may run twice when a connection drops, so each must bear a replay. */
export interface RemoteShell {
  /** How it gets there, for the job's details. */
  readonly route: 'exec' | 'ssh';
  run(script: RemoteScript, options: RemoteOptions): Promise<Outcome<RemoteAnswer>>;
  /** Writes files of mode 0600, each whole or not at all. */
  upload(files: readonly RemoteFile[], options: RemoteOptions): Promise<Outcome<void>>;
  /** Hands over stdout as it comes, noise of the route included; ends when the connection does. */
  stream(
    script: RemoteScript,
    onStdout: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<Outcome<void>>;
}
