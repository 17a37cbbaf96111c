import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { programFile } from '../programs.ts';
import { connectRunner, type Listener, openSession, type Session } from './control.ts';
import { DockerFailure, engineError } from './failure.ts';
import { type Container, readState } from './store.ts';

/** The runner sees nothing of its caller's environment but this simulator's own variables: no secrets stay in it. */
function runnerEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith('BREV_SIM_')) env[name] = value;
  }
  return env;
}

/** Starts a runner and waits for its first word: it listens, or another one does, or the container is gone. */
async function spawnRunner(dir: string): Promise<string> {
  const child = spawn(process.execPath, [programFile('runner'), dir], {
    detached: true,
    env: runnerEnvironment(),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const word = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve('lost'));
    child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()));
  });
  child.stdout.destroy();
  child.unref();
  return word;
}

/** Brings a container up and keeps the connection, with its output when a listener is given. */
export async function startContainer(container: Container, listener?: Listener): Promise<Session> {
  const { id } = container.config;
  for (let attempt = 0; attempt < 200; attempt++) {
    const word = await spawnRunner(container.dir);
    if (word === 'gone') throw engineError(`No such container: ${id}`);
    if (word === 'busy' && readState(container.dir)?.status === 'exited') {
      // The last runner has written its end and is about to stop listening.
      await sleep(5);
      continue;
    }
    const socket = await connectRunner(id);
    if (socket === undefined) continue;
    const session = openSession(socket, { op: listener === undefined ? 'wait' : 'attach' }, listener);
    session.send({ op: 'start' });
    return session;
  }
  throw engineError(`failed to start container ${id}: its runner never listened`);
}

/** Waits until the container runs; a refusal is the engine's error with docker's exit code for it. */
export async function requireStarted(session: Session): Promise<void> {
  const started = await session.second;
  if (started === undefined || typeof started.error !== 'string') return;
  const code = started.exitCode === 126 || started.exitCode === 127 ? started.exitCode : 125;
  throw new DockerFailure(`Error response from daemon: ${started.error}`, code);
}
