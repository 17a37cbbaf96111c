import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { deferred } from './deferred.ts';
import { endGroup } from './processes.ts';

/** A running VS Code server on the loopback interface. */
export interface ServedVSCode {
  readonly port: number;
  /** Resolves when the server ended, whoever ended it. */
  readonly ended: Promise<void>;
  dispose(): Promise<void>;
}

/**
 * Starts a VS Code server by its script on a free port of its own choice. Its output goes to `logFile`; `ready` finds the
 * port in a line of it.
 */
export async function startServer(options: {
  readonly script: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly ready: RegExp;
  readonly timeoutMs?: number;
}): Promise<ServedVSCode> {
  const child = spawn(process.execPath, [options.script, ...options.args], {
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, with the extension hosts in it: it ends as a whole.
    detached: true,
  });
  const log = createWriteStream(options.logFile);
  const { promise: listening, resolve, reject } = deferred<number>();
  const fail = (reason: string) =>
    reject(new Error(`The VS Code server ${reason}; its log: ${options.logFile}`));
  let seen = '';
  const read = (chunk: Buffer) => {
    log.write(chunk);
    if (seen.length > 100_000) return;
    seen += chunk.toString();
    const port = options.ready.exec(seen)?.[1];
    if (port) resolve(Number(port));
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('error', reject);
  const ended = once(child, 'exit').then(
    ([code, signal]) => fail(`ended with ${code ?? signal}`),
    (error: unknown) => fail(String(error)),
  );
  const timer = setTimeout(() => fail('took too long to start'), options.timeoutMs ?? 60_000);
  const dispose = async () => {
    await endGroup(child);
    log.end();
  };
  try {
    return { port: await listening, ended, dispose };
  } catch (error) {
    await dispose();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
