import { type BrevCommand, MINUTE, nothing } from './command.ts';

/**
 * Signs in by token. The CLI has no other way to take one than its command line (brev-cli.md part 2), where it is
 * visible in the local process table for the second that the call lasts; it is kept out of every log.
 */
export function loginWithToken(token: string): BrevCommand<void> {
  return {
    name: 'login',
    args: ['login', '--token', token],
    timeoutMs: MINUTE,
    readOnly: false,
    parse: nothing,
  };
}

/** Signs in by an API key, for one organisation; only CLIs since 0.6.324 have it. The key stands on the command line too. */
export function loginWithApiKey(key: string, organisationId: string): BrevCommand<void> {
  return {
    name: 'login',
    args: ['login', '--api-key', key, '--org-id', organisationId],
    timeoutMs: MINUTE,
    readOnly: false,
    parse: nothing,
  };
}

export function logout(): BrevCommand<void> {
  return { name: 'logout', args: ['logout'], timeoutMs: MINUTE, readOnly: false, parse: nothing };
}
