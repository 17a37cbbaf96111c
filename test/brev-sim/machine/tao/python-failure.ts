import { pythonRepr } from './python-text.ts';

/** Prefixes of the failures that TAO's decorator writes into status.json (contract part 3); others leave no line there. */
export type FailureKind =
  | 'Configuration error'
  | 'Feature not implemented'
  | 'Parameter validation error'
  | 'File system error'
  | 'Schema validation error'
  | 'uncaught';

/** An exception of the training child, as Python shows it. */
export class PythonFailure extends Error {
  readonly type: string;
  readonly kind: FailureKind;
  /** Frames between the script and the raise: file, line, function, source. */
  readonly frames: [string, number, string, string][];

  constructor(
    type: string,
    message: string,
    kind: FailureKind,
    frames: [string, number, string, string][] = [],
  ) {
    super(message);
    this.type = type;
    this.kind = kind;
    this.frames = frames;
  }
}

/** `FileNotFoundError` for a container path. */
export function fileNotFound(path: string): PythonFailure {
  return new PythonFailure(
    'FileNotFoundError',
    `[Errno 2] No such file or directory: ${pythonRepr(path)}`,
    'File system error',
    [['/usr/lib/python3.12/posixpath.py', 0, 'open', `with open(path) as handle:`]],
  );
}

/** `OSError` for writing below a read-only mount. */
export function readOnlyFileSystem(path: string): PythonFailure {
  return new PythonFailure(
    'OSError',
    `[Errno 30] Read-only file system: ${pythonRepr(path)}`,
    'File system error',
  );
}

/** What hydra says of a config that it can't compose: no traceback, for the script never began. */
export class ComposeFailure extends Error {}

export const HYDRA_HINT = 'Set the environment variable HYDRA_FULL_ERROR=1 for a complete stack trace.';

/** The lines of a traceback, hydra's first and last words around it. */
export function tracebackLines(failure: PythonFailure, script: string, overrides: string[]): string[] {
  const lines = [
    `Error executing job with overrides: [${overrides.map(pythonRepr).join(', ')}]`,
    'Traceback (most recent call last):',
    `  File "${script}", line 96, in main`,
    '    run_experiment(experiment_config=cfg)',
  ];
  for (const [file, line, name, source] of failure.frames) {
    lines.push(`  File "${file}", line ${line}, in ${name}`, `    ${source}`);
  }
  lines.push(`${failure.type}: ${failure.message}`, '');
  lines.push(HYDRA_HINT);
  return lines;
}
