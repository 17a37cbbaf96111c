/** Where a connection leads: an alias of the CLI's own ssh config, and the socket by which it is shared. */
export interface SshRoute {
  readonly configFile: string;
  readonly alias: string;
  readonly socket: string;
}

/** What the CLI's config asks for and no program wants: a terminal, the user's agent. */
const QUIET: readonly string[] = [
  '-T',
  ...options({
    BatchMode: 'yes',
    LogLevel: 'ERROR',
    ForwardAgent: 'no',
    AddKeysToAgent: 'no',
    RequestTTY: 'no',
    RemoteCommand: 'none',
  }),
];

/** Connects, runs one command, and leaves a master behind that later sessions share and that ends when idle. */
export function connectArguments(
  route: SshRoute,
  timing: { readonly connectTimeoutSeconds: number; readonly idleSeconds: number },
  command: string,
): readonly string[] {
  return [
    ...shared(route),
    ...options({
      ControlMaster: 'auto',
      ControlPersist: String(timing.idleSeconds),
      ConnectTimeout: String(timing.connectTimeoutSeconds),
      // a dead connection is noticed after half a minute, not after the config's minute and a half
      ServerAliveInterval: '10',
      ServerAliveCountMax: '3',
    }),
    route.alias,
    command,
  ];
}

/**
 * One more session of a connection that stands. Where there is none, ssh must not make one of its own: the alias may
 * lead elsewhere by now, and thirty at once would run into sshd's MaxStartups. So its own way leads nowhere, at once
 * and without a look at the network: an IPv4 address can't be had in IPv6.
 */
export function sessionArguments(route: SshRoute, command: string): readonly string[] {
  return [
    ...shared(route),
    ...options({
      ControlMaster: 'no',
      ProxyCommand: 'none',
      AddressFamily: 'inet6',
      HostName: NOWHERE,
    }),
    route.alias,
    command,
  ];
}

/** Forwards a port of this computer's loopback to one of the machine's, over a connection of its own, and nothing else. */
export function forwardArguments(
  { configFile, alias }: Pick<SshRoute, 'configFile' | 'alias'>,
  localPort: number,
  remotePort: number,
): readonly string[] {
  return [
    '-F',
    configFile,
    ...QUIET,
    ...options({
      ControlMaster: 'no',
      ControlPath: 'none',
      ExitOnForwardFailure: 'yes',
      ConnectTimeout: '20',
      ServerAliveInterval: '10',
      ServerAliveCountMax: '3',
    }),
    '-N',
    '-L',
    `127.0.0.1:${localPort}:127.0.0.1:${remotePort}`,
    alias,
  ];
}

/** Ends a shared connection. */
export function exitArguments(socket: string): readonly string[] {
  return ['-F', '/dev/null', '-S', literally(socket), '-O', 'exit', 'brev'];
}

const NOWHERE = '127.0.0.1';

/** Whether ssh says that it found no connection to share: then the command has not run. */
export function foundNoConnection(stderr: string): boolean {
  return stderr.includes(`Could not resolve hostname ${NOWHERE}`);
}

function shared({ configFile, socket }: SshRoute): readonly string[] {
  return ['-F', configFile, '-S', literally(socket), ...QUIET, ...options({ ClearAllForwardings: 'yes' })];
}

function options(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** ssh replaces %h and the like in the path of a socket. */
function literally(socket: string): string {
  return socket.replaceAll('%', '%%');
}
