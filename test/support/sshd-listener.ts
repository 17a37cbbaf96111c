import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { deferred } from './deferred.ts';

/** An sshd that listens. */
export interface Listener {
  readonly pid: number;
  close(): Promise<void>;
}

// The shell between ends the server when its own stdin does, so that a killed test leaves none behind.
const keeper = '"$@" </dev/null 2>&1 & echo "pid $!"; read -r _; kill -9 "$!"; wait';

/** Starts sshd in the foreground and waits until it listens. */
export async function startListener(program: string, configFile: string): Promise<Listener> {
  const child = spawn('/bin/sh', ['-c', keeper, 'sh', program, '-D', '-e', '-f', configFile], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // whoever kills the test's process group must not kill the keeper before it has done its work
    detached: true,
  });
  const { promise, resolve, reject } = deferred<number>();
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (said.length > 20_000) return;
    said += chunk.toString();
    const pid = /^pid (\d+)$/m.exec(said)?.[1];
    if (pid !== undefined && /^Server listening on /m.test(said)) resolve(Number(pid));
    else if (/^(?:fatal: )?Cannot bind any address|: (?:bad|terminating)|^Missing /m.test(said)) {
      reject(new Error(`sshd did not start: ${said}`));
    }
  });
  child.once('error', reject);
  const exited = once(child, 'exit');
  child.stdin.on('error', () => undefined);
  const close = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  try {
    return { pid: await promise, close };
  } catch (error) {
    await close();
    throw error;
  }
}
