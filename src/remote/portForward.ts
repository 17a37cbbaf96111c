import { connect } from 'node:net';
import { type Clock, sleep } from '../process/clock.ts';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import { forwardArguments } from './sshArguments.ts';
import { sshFailure } from './sshFailure.ts';
import type { SshSettings } from './sshMaster.ts';

export interface PortForwardOptions {
  readonly ssh: Pick<SshSettings, 'run' | 'program' | 'configFile' | 'environment'>;
  /** The instance's name, which is its alias in the CLI's ssh config; checked by whoever calls. */
  readonly alias: string;
  readonly localPort: number;
  readonly remotePort: number;
  readonly clock: Clock;
}

/** A port of this computer that leads to one of an instance, until it is stopped or its connection breaks. */
export interface PortForward {
  stop(): Promise<void>;
  /** Settles when it has ended; undefined when it was stopped. */
  readonly ended: Promise<string | undefined>;
}

const READY_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 200;
/** A forward is wanted for as long as its window is open. A timer of more than 24 days would be over at once. */
const LONGEST_MS = 20 * 24 * 3_600_000;

/**
 * Forwards a port by an ssh of our own: the CLI's `port-forward` returns at once with 0 whatever happens, and leaves a
 * process behind that is hard to end (brev-cli.md part 8).
 */
export async function forwardPort(
  options: PortForwardOptions,
  signal: AbortSignal,
): Promise<Outcome<PortForward>> {
  const { alias, clock, localPort, remotePort, ssh } = options;
  if (await answers(localPort)) {
    return failed(inUse(localPort));
  }
  const stop = new AbortController();
  const running = ssh.run(ssh.program, {
    args: forwardArguments({ configFile: ssh.configFile(), alias }, localPort, remotePort),
    env: ssh.environment(),
    timeoutMs: LONGEST_MS,
    signal: stop.signal,
  });
  let result: Awaited<typeof running> | undefined;
  void running.then((value) => {
    result = value;
  });
  for (let waited = 0; result === undefined && !signal.aborted; waited += LOOK_EVERY_MS) {
    if (await answers(localPort)) {
      return ok({
        stop: async () => {
          stop.abort();
          await running;
        },
        ended: running.then((end) =>
          end.kind === 'failed' ? end.stderr.trim() : end.kind === 'cancelled' ? undefined : end.kind,
        ),
      });
    }
    if (waited >= READY_WITHIN_MS) {
      break;
    }
    await sleep(clock, LOOK_EVERY_MS, signal);
  }
  stop.abort();
  const end = await running;
  if (signal.aborted) {
    return cancelled;
  }
  const stderr = end.kind === 'failed' ? end.stderr : '';
  return /Address already in use|cannot listen to port/i.test(stderr)
    ? failed({
        kind: 'localFile',
        message: message(
          'Port {0} of this computer is in use already. Choose another one.',
          String(localPort),
        ),
        retrySafe: true,
      })
    : failed(sshFailure(alias, stderr === '' ? 'Connection timed out' : stderr));
}

function inUse(port: number): Failure {
  return {
    kind: 'localFile',
    message: message('Port {0} of this computer is in use already. Choose another one.', String(port)),
    retrySafe: true,
  };
}

/** Whether something listens on the port here. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
