/** An error that the real CLI would print as its last message on stderr; exit 1 unless said otherwise. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/** A Go panic: exit 2 with a goroutine dump. */
export class GoPanic extends CliError {
  constructor(message: string) {
    super(
      `panic: ${message}\n\ngoroutine 1 [running]:\nmain.main()\n\t/home/runner/work/brev-cli/brev-cli/main.go:26 +0x18`,
      2,
    );
  }
}

/** The "[error] / function / file:line" lines that the CLI leaves inside many messages, once per wrap. */
export function traced(message: string, where: string, levels = 1): string {
  const prefix = `[error] \ngithub.com/brevdev/brev-cli/pkg/${where}\n/home/runner/work/brev-cli/brev-cli/pkg/${where.replace(/\..*$/, '.go')}:${100 + where.length}\n: `;
  return prefix.repeat(levels) + message;
}

/** hashicorp/multierror's text. */
export function multiError(messages: string[]): CliError {
  const head = messages.length === 1 ? '1 error occurred:' : `${messages.length} errors occurred:`;
  return new CliError(`${head}\n${messages.map((message) => `\t* ${message}\n`).join('')}\n`);
}

/** A failure before any response, with the HTTP library's own log lines. */
export class TransportError extends CliError {
  readonly logs: string;

  constructor(message: string) {
    super(message);
    const stamp = `${new Date().toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ')}.000000`;
    this.logs = `${stamp} WARN RESTY ${message}, Attempt 1\n${stamp} ERROR RESTY ${message}\n`;
  }
}
