import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createRun, type Run } from '../../src/process/run.ts';
import { ControlFolder } from '../../src/remote/controlFolder.ts';
import { SshConnection } from '../../src/remote/sshConnection.ts';
import type { SshConnectionOptions, SshSettings } from '../../src/remote/sshMaster.ts';
import { SshShell } from '../../src/remote/sshShell.ts';
import { type Process, processes } from './process-tree.ts';
import { type Sshd, type SshdOptions, startSshd } from './sshd.ts';

export interface SshMachineOptions extends SshdOptions {
  readonly idleSeconds?: number;
  /** What stands in the environment of ssh itself, beside PATH. */
  readonly localEnvironment?: Readonly<Record<string, string>>;
}

/** A machine with a real sshd, an ssh config like the CLI's that names it gpu1, and our shell on it. */
export interface SshMachine {
  readonly sshd: Sshd;
  readonly configFile: string;
  readonly settings: SshSettings;
  readonly connection: SshConnection;
  readonly shell: SshShell;
  /** The argv of every ssh that was run, first to last. */
  readonly calls: readonly (readonly string[])[];
  /** Where the sockets' folder is made. */
  readonly socketBase: string;
  /** The ssh processes here that serve this machine, those in the background included. */
  sshProcesses(): Process[];
  /** A further shell, with connections of its own. */
  withSettings(settings: SshSettings): SshShell;
  dispose(): Promise<void>;
}

export async function startSshMachine(
  options: SshMachineOptions = {},
  verify: SshConnectionOptions['verify'] = async () => undefined,
): Promise<SshMachine> {
  const sshd = await startSshd(options);
  // short, as ssh wants it, and one for each test: what is left in it is the test's own
  const socketBase = await mkdtemp('/tmp/brev-ssh-');
  const configFile = path.join(socketBase, 'ssh_config');
  await writeFile(configFile, sshConfig(['gpu1', 'gpu1-host'], sshd));
  const calls: (readonly string[])[] = [];
  const plain = createRun();
  const run: Run = (program, runOptions) => {
    calls.push(runOptions.args);
    return plain(program, runOptions);
  };
  const settings: SshSettings = {
    run,
    program: 'ssh',
    configFile: () => configFile,
    environment: () => ({
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: socketBase,
      ...options.localEnvironment,
    }),
    control: new ControlFolder('ssh', socketBase),
    connectTimeoutSeconds: 10,
    idleSeconds: options.idleSeconds ?? 30,
  };
  const connections: SshConnection[] = [];
  const connect = (ssh: SshSettings): SshConnection => {
    const made = new SshConnection({ ssh, alias: 'gpu1', verify });
    connections.push(made);
    return made;
  };
  const connection = connect(settings);
  return {
    sshd,
    configFile,
    settings,
    connection,
    shell: new SshShell(connection, 'gpu1'),
    calls,
    socketBase,
    sshProcesses: () => processes().filter(({ command }) => command.includes(socketBase)),
    withSettings: (changed) => new SshShell(connect(changed), 'gpu1'),
    dispose: async () => {
      sshd.thaw();
      await Promise.all(connections.map((each) => each.close()));
      await settings.control.dispose();
      await sshd.dispose();
      await rm(socketBase, { recursive: true, force: true });
    },
  };
}

/** An ssh config as `brev refresh` writes it (brev-cli.md part 9). */
export function sshConfig(
  aliases: readonly string[],
  {
    port,
    user,
    keyFile,
    hostName = '127.0.0.1',
  }: Pick<Sshd, 'port' | 'user' | 'keyFile'> & { hostName?: string },
): string {
  return aliases
    .map(
      (alias) => `Host ${alias}
  Hostname ${hostName}
  IdentityFile "${keyFile}"
  User ${user}
  Port ${port}
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  PasswordAuthentication no
  AddKeysToAgent yes
  ForwardAgent yes
  RequestTTY yes
  ServerAliveInterval 30
  ControlMaster auto
  ControlPath ~/.ssh/brev-control-%C
  ControlPersist 10m

`,
    )
    .join('');
}
