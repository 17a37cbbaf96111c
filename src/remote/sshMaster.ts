import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Run, RunResult } from '../process/run.ts';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import { readAnswer } from './answer.ts';
import type { ControlFolder } from './controlFolder.ts';
import factsScript from './machineFacts.sh';
import type { Machine } from './machineIdentity.ts';
import { connectArguments, exitArguments } from './sshArguments.ts';
import { sshFailure } from './sshFailure.ts';
import { answeringScript } from './sshScript.ts';

/** How ssh is run, for all instances. */
export interface SshSettings {
  readonly run: Run;
  readonly program: string;
  /** The CLI's own ssh config; it is read, never written. */
  readonly configFile: () => string;
  readonly environment: () => Record<string, string>;
  readonly control: ControlFolder;
  /** A slow way in needs more than 3 s (users.md C, #226). */
  readonly connectTimeoutSeconds: number;
  /** A connection that nobody has used for so long ends by itself. */
  readonly idleSeconds: number;
}

export interface SshConnectionOptions {
  readonly ssh: SshSettings;
  /** The instance's name, which is its alias too. */
  readonly alias: string;
  /** Why the machine behind the alias must not be used; undefined when it is the right one. */
  readonly verify: (machine: Machine) => Promise<Failure | undefined>;
}

/** An ssh process in the background that carries the sessions of others. */
export interface Master {
  readonly socket: string;
  readonly machine: Machine;
  /** How many sessions it has now, and how many at most. */
  sessions: number;
  limit: number;
  /** Calls that nobody waited for to the end: their commands may still take up a session on the server. */
  abandoned: number;
}

const EXIT_TIMEOUT_MS = 5_000;

/** Connects; once more if ssh met the CLI's config while that was being written. */
export async function openMaster(
  options: SshConnectionOptions,
  signal: AbortSignal,
): Promise<Outcome<Master>> {
  const first = await connect(options, signal);
  // an alias that ssh takes for a host name was not in what it read, although it was there a moment ago
  return first.kind === 'failed' &&
    first.failure.detail?.includes(`Could not resolve hostname ${options.alias}:`)
    ? connect(options, signal)
    : first;
}

/** The first command asks the machine what it is: so the connection is known to work and to be the right one. */
async function connect(
  { alias, ssh, verify }: SshConnectionOptions,
  signal: AbortSignal,
): Promise<Outcome<Master>> {
  const socket = await ssh.control.newSocket();
  const token = randomBytes(8).toString('hex');
  const { command, stdin } = answeringScript(token, { text: factsScript, args: [] }, undefined, 'unknown');
  const result = await ssh.run(ssh.program, {
    args: connectArguments({ configFile: ssh.configFile(), alias, socket }, ssh, command),
    env: ssh.environment(),
    input: stdin,
    // the limit in the arguments ends with the handshake; the command has its own time
    timeoutMs: (2 * ssh.connectTimeoutSeconds + 10) * 1_000,
    signal,
  });
  const machine = result.kind === 'ok' ? readFacts(result.stdout, token) : undefined;
  if (machine === undefined || !existsSync(socket)) {
    await endMaster(ssh, socket);
    return result.kind === 'cancelled' ? cancelled : failed(notConnected(alias, result));
  }
  const refused = await verify(machine);
  if (refused !== undefined) {
    await endMaster(ssh, socket);
    return failed(refused);
  }
  return ok({ socket, machine, sessions: 0, limit: Number.POSITIVE_INFINITY, abandoned: 0 });
}

/** Ends a master and whatever still runs over it. */
export async function endMaster(ssh: SshSettings, socket: string): Promise<void> {
  if (existsSync(socket)) {
    await ssh.run(ssh.program, {
      args: exitArguments(socket),
      env: ssh.environment(),
      timeoutMs: EXIT_TIMEOUT_MS,
    });
  }
  await ssh.control.release(socket);
}

function readFacts(stdout: string, token: string): Machine | undefined {
  const [loginShell, hostName] = readAnswer(stdout, token)?.stdout.split('\n') ?? [];
  return loginShell === undefined || hostName === undefined ? undefined : { loginShell, hostName };
}

function notConnected(alias: string, result: Exclude<RunResult, { kind: 'cancelled' }>): Failure {
  switch (result.kind) {
    case 'notFound':
    case 'notExecutable':
      return {
        kind: 'sshConfigBroken',
        message: message('There is no usable ssh program on this computer.'),
        retrySafe: true,
      };
    case 'timedOut':
      return sshFailure(alias, `${result.stderr}\nConnection timed out`);
    case 'failed':
      return sshFailure(alias, result.stderr);
    case 'ok':
      return sshFailure(alias, `${result.stderr}\nthe first command got no answer`);
  }
}
