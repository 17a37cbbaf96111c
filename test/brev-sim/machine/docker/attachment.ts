import { fstatSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import type { Listener, Session } from './control.ts';

/** Writes the container's raw output to this process's own streams. */
export function toOwnStreams(): Listener {
  return { stdout: writerTo(process.stdout), stderr: writerTo(process.stderr) };
}

/**
 * Into a file as Go writes: all of it, or nothing more after an error. Node drops what a full disk didn't take of a piece,
 * and goes on with the next one.
 */
function writerTo(stream: NodeJS.WriteStream & { fd: number }): (bytes: Buffer) => void {
  if (!fstatSync(stream.fd).isFile()) return (bytes) => stream.write(bytes);
  return (bytes) => {
    for (let written = 0; written < bytes.length; ) {
      try {
        written += writeSync(stream.fd, bytes, written);
      } catch {
        process.exit(1);
      }
    }
  };
}

/** Hands this process's stdin to the container. */
export function forwardStdin(session: Session): void {
  process.stdin.on('data', (bytes: Buffer) => session.send({ op: 'stdin', data: bytes.toString('base64') }));
  process.stdin.on('end', () => session.send({ op: 'stdin-end' }));
}

/**
 * Passes signals on to the container instead of dying of them, as `--sig-proxy` does. It catches them before the
 * container's first output is shown: whoever has seen that may send one at once.
 */
export function proxySignals(starting: Promise<Session>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const) {
    process.on(signal, () => {
      starting.then(
        (session) => session.send({ op: 'signal', signal }),
        // a start that failed is told where it is awaited
        () => undefined,
      );
    });
  }
}

/** Follows a container to its end; its exit code is docker's. A lost runner counts as killed. */
export async function untilExit(session: Session): Promise<number> {
  const code = await session.exit;
  session.socket.destroy();
  process.stdin.destroy();
  return code ?? 128 + constants.signals.SIGKILL;
}
