import { homedir } from 'node:os';

/**
 * The environment for every call of the CLI.
 * - DO_NOT_TRACK=1, exactly `1`: otherwise it sends whole command lines to an analytics service, and hangs 13 s
 *   where that is blocked (brev-cli.md part 12).
 * - a non-empty SSH_AUTH_SOCK: without one each exec leaves an ssh-agent behind (part 6, Leaks).
 * - a HOME: without one it prints a warning on stdout and does nothing (part 1).
 */
export function cliEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...base, ...extra })) {
    // DEBUG_HTTP prints the bearer token (part 1)
    if (value !== undefined && name !== 'DEBUG_HTTP') {
      environment[name] = value;
    }
  }
  environment.DO_NOT_TRACK = '1';
  environment.SSH_AUTH_SOCK ||= '/dev/null';
  environment.HOME ||= homedir();
  return environment;
}
