import type { Machine } from './machineIdentity.ts';
import { quote } from './quote.ts';
import type { RemoteScript } from './shell.ts';

/** What ssh is given: a command line that any login shell understands, and the stdin that goes with it. */
export interface SshScript {
  readonly command: string;
  readonly stdin: Uint8Array;
}

/** Longer ones are read by a program of their own: bash itself reads a pipe byte by byte. */
const READ_BY_BASH = 8_192;

/**
 * A script whose exit code is told in-band under a token, as wrapper.sh does for the other route. Text and arguments go
 * over stdin, where no login shell can misread them and nobody else on the machine sees them; what is left of stdin
 * is the script's own. ssh itself always ends with 0 then: another code means that the connection broke.
 */
export function answeringScript(
  token: string,
  script: RemoteScript,
  input: Uint8Array | undefined,
  loginShell: Machine['loginShell'],
): SshScript {
  const text = `printf '@@brev-begin ${token}\\n'
${subshell(script)}
printf '\\n@@brev-end ${token} %s\\n' "$?"
exit 0
`;
  return overStdin(text, input, loginShell);
}

/** A script whose stdout comes as it is. */
export function streamingScript(script: RemoteScript, loginShell: Machine['loginShell']): SshScript {
  return overStdin(`${subshell(script)}\nexit 0\n`, undefined, loginShell);
}

/** In a subshell, because an `exit` or a changed setting must end with the script. What is left of stdin is its own. */
function subshell({ text, args }: RemoteScript): string {
  const words = ['set', '--', ...args.map(quote)].join(' ');
  return `( ${words}\neval ${quote(text)} )`;
}

function overStdin(text: string, input: Uint8Array | undefined, loginShell: string): SshScript {
  const script = Buffer.from(text);
  const { length } = script;
  const take =
    length <= READ_BY_BASH ? `LC_ALL=C read -rN ${length} brev;eval "$brev"` : `eval "$(head -c ${length})"`;
  return {
    // no shell takes offence at these words between single quotes
    command: loginShell === 'bash' ? take : `exec bash -c '${take}'`,
    stdin: input === undefined ? script : Buffer.concat([script, input]),
  };
}
