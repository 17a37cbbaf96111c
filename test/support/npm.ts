import { spawn } from 'node:child_process';
import path from 'node:path';
import { deferred } from './deferred.ts';

/** Runs npm on this process's Node, output to stderr; rejects with what npm was asked and how it ended. */
export async function npm(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  // `npm` is a .cmd on Windows, which can't be spawned without a shell; npm names its own script to those it runs.
  const script = process.env.npm_execpath;
  const [command, first] = script?.endsWith('js') ? [process.execPath, [script]] : ['npm', []];
  const child = spawn(command, [...first, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: path.dirname(process.execPath) + path.delimiter + (process.env.PATH ?? ''),
      ...env,
    },
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const { promise, resolve, reject } = deferred<void>();
  child.on('error', reject);
  child.on('close', (code, signal) => {
    if (code === 0) resolve();
    else
      reject(
        new Error(
          `npm ${args.join(' ')} in ${cwd} ended with ${code ?? signal}:\n${Buffer.concat(output).toString()}`,
        ),
      );
  });
  return promise;
}
