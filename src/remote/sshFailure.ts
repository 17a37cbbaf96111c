import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';

/** Why ssh got no connection, from what it printed; the sentences stand in the job's details. */
export function sshFailure(instanceName: string, stderr: string): Failure {
  const detail = stderr.trim();
  const known = KNOWN.find(({ pattern }) => pattern.test(detail));
  const line = detail.split(/\r?\n/).at(-1) ?? '';
  return {
    kind: known?.kind ?? 'unreachable',
    message:
      known?.sentence(instanceName) ??
      (line === ''
        ? message('SSH got no connection to {0} and did not say why.', instanceName)
        : message('SSH got no connection to {0}: {1}', instanceName, line)),
    action: 'waitUntilReady',
    retrySafe: true,
    detail,
  };
}

/** Most telling first: a refused key also makes ssh say that the connection was closed. */
const KNOWN: readonly {
  readonly pattern: RegExp;
  readonly kind: Failure['kind'];
  readonly sentence: (instanceName: string) => Failure['message'];
}[] = [
  {
    pattern: /too long for Unix domain socket/,
    kind: 'sshConfigBroken',
    sentence: () => message('The temporary folder has too long a path for a shared SSH connection.'),
  },
  {
    pattern: /UNPROTECTED PRIVATE KEY FILE|Load key ".*": /,
    kind: 'sshConfigBroken',
    sentence: () => message('The SSH key of the Brev CLI cannot be used. `brev refresh` writes it anew.'),
  },
  {
    pattern: /Bad configuration option|terminating, \d+ bad configuration/,
    kind: 'sshConfigBroken',
    sentence: () => message('SSH does not understand the settings that the Brev CLI wrote for it.'),
  },
  {
    pattern: /Permission denied \(|Too many authentication failures/,
    kind: 'noSshAccess',
    sentence: (name) => message('{0} does not accept the SSH key of the Brev CLI.', name),
  },
  {
    pattern: /Could not resolve hostname/,
    kind: 'hostUnresolvable',
    sentence: (name) => message('{0} has no address that SSH could find.', name),
  },
  {
    pattern: /Connection refused/,
    kind: 'unreachable',
    sentence: (name) => message('{0} refuses SSH connections; it may still be starting.', name),
  },
  {
    pattern: /timed out|Timeout, server/,
    kind: 'unreachable',
    sentence: (name) => message('{0} does not answer over SSH.', name),
  },
  {
    pattern: /kex_exchange_identification|Connection closed|Connection reset|banner/,
    kind: 'unreachable',
    sentence: (name) => message('{0} closes SSH connections before they stand.', name),
  },
];
