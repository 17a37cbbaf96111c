/** A docker command that ends with a text on stderr and an exit code. */
export class DockerFailure extends Error {
  readonly exitCode: number;
  /** What stands on stdout before it, such as inspect's `[]`. */
  readonly stdout: string;

  constructor(message: string, exitCode = 1, stdout = '') {
    super(message);
    this.exitCode = exitCode;
    this.stdout = stdout;
  }
}

/** What the engine (not the client) answered. */
export class EngineFailure extends DockerFailure {}

export function engineError(message: string): EngineFailure {
  return new EngineFailure(`Error response from daemon: ${message}`);
}

/** Cobra's usage error of docker 28: the text, the usage line, the hint; rc 125, and `run` leaves it as it is. */
export class UsageFailure extends DockerFailure {}

export function usageError(command: string, usage: string, message: string): UsageFailure {
  return new UsageFailure(
    `${message}\n\nUsage:  docker ${command} ${usage}\n\nRun 'docker ${command} --help' for more information`,
    125,
  );
}

/** How `docker run` dresses any error that comes before the container's own exit code. */
export function runError(error: unknown): unknown {
  if (!(error instanceof DockerFailure) || error instanceof UsageFailure) return error;
  const code = error.exitCode === 126 || error.exitCode === 127 ? error.exitCode : 125;
  return new DockerFailure(
    `docker: ${error.message}\n\nRun 'docker run --help' for more information`,
    code,
    error.stdout,
  );
}
