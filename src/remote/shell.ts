import type { Outcome } from '../values/outcome.ts';

/** A bash script and its positional arguments ($1, $2, …). Its stdin is empty unless the options give it an input. */
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
  /** Ends the wait, at once; what runs on the instance goes on. */
  readonly signal: AbortSignal;
}

export interface RunScriptOptions extends RemoteOptions {
  /** The script's stdin, for secrets and for what is too long for an argument. It stands on no command line. */
  readonly input?: Uint8Array;
  /** A folder of the home directory where a route without stdin may keep the input until it is read. */
  readonly inputFolder?: string;
  /** Begins that file's name, so that one which a window left behind unread can be found. */
  readonly inputName?: string;
}

/** A shell on one running instance. Scripts may run twice when a connection drops, so each must bear a replay. */
export interface RemoteShell {
  /** How it gets there, for the job's details. */
  readonly route: 'exec' | 'ssh';
  run(script: RemoteScript, options: RunScriptOptions): Promise<Outcome<RemoteAnswer>>;
  /** Writes files of mode 0600, each whole or not at all. */
  upload(files: readonly RemoteFile[], options: RemoteOptions): Promise<Outcome<void>>;
  /**
   * Hands over the bytes of a file (absolute, or relative to the home directory), each once and in order, over as many
   * connections as it takes. When it is ok, they are the file as it was in one piece; tells how many they were.
   */
  download(
    path: string,
    onBytes: (chunk: Uint8Array) => void,
    options: RemoteOptions,
  ): Promise<Outcome<number>>;
  /** Hands over stdout as it comes, noise of the route included; ends when the connection does. */
  stream(
    script: RemoteScript,
    onStdout: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<Outcome<void>>;
}
