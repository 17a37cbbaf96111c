import { forwardStdin, proxySignals, toOwnStreams, untilExit } from '../attachment.ts';
import { connectRunner, openSession, type Session } from '../control.ts';
import { DockerFailure } from '../failure.ts';
import { requireEngine } from '../faults.ts';
import { commandLine, parseLine } from '../flags.ts';
import { requireStarted, startContainer } from '../launch.ts';
import { type Container, machineFolder, requireContainer } from '../store.ts';
import { needWords } from '../words.ts';

/** `docker start`: prints each name; with `-a` follows the one container to its end. */
export async function start(args: string[]): Promise<number> {
  const usage = '[OPTIONS] CONTAINER [CONTAINER...]';
  const line = parseLine(
    commandLine('start', usage, 'a,attach checkpoint= checkpoint-dir= detach-keys= i,interactive sig-proxy'),
    args,
  );
  needWords(line, 1);
  const machine = machineFolder();
  const follow = line.on('attach') || line.on('interactive');
  if (follow && line.words.length > 1) {
    throw new DockerFailure('you cannot start and attach multiple containers at once');
  }
  if (follow) {
    await requireEngine(machine, `/containers/${line.words[0] ?? ''}/json`);
    const container = await requireContainer(machine, line.words[0] ?? '');
    const starting = startOrJoin(container);
    if (line.on('sig-proxy', true)) proxySignals(starting);
    const session = await starting;
    if (container.config.openStdin && line.on('interactive')) forwardStdin(session);
    return await untilExit(session);
  }
  const failed: string[] = [];
  for (const word of line.words) {
    try {
      await requireEngine(machine, `/containers/${word}/start`);
      const container = await requireContainer(machine, word);
      if (container.state.status !== 'running') {
        const session = await startContainer(container);
        await requireStarted(session);
        session.socket.destroy();
      }
      process.stdout.write(`${word}\n`);
    } catch (error) {
      if (!(error instanceof DockerFailure)) throw error;
      process.stderr.write(`${error.message}\n`);
      failed.push(word);
    }
  }
  if (failed.length > 0) throw new DockerFailure(`Error: failed to start containers: ${failed.join(', ')}`);
  return 0;
}

/** `start -a` on a running container joins it, as docker does. */
async function startOrJoin(container: Container): Promise<Session> {
  if (container.state.status === 'running') {
    const socket = await connectRunner(container.config.id);
    if (socket !== undefined) return openSession(socket, { op: 'attach' }, toOwnStreams());
  }
  const session = await startContainer(container, toOwnStreams());
  await requireStarted(session);
  return session;
}

/** `docker attach`: the raw output from now on, both streams apart, and the container's exit code. */
export async function attach(args: string[]): Promise<number> {
  const line = parseLine(
    commandLine('attach', '[OPTIONS] CONTAINER', 'detach-keys= no-stdin sig-proxy'),
    args,
  );
  needWords(line, 1, 1);
  const machine = machineFolder();
  const [word = ''] = line.words;
  await requireEngine(machine, `/containers/${word}/json`);
  const container = await requireContainer(machine, word);
  const socket = container.state.status === 'running' ? await connectRunner(container.config.id) : undefined;
  if (socket === undefined) {
    throw new DockerFailure('You cannot attach to a stopped container, start it first');
  }
  const session = openSession(socket, { op: 'attach' }, toOwnStreams());
  if (container.config.openStdin && !line.on('no-stdin')) forwardStdin(session);
  if (line.on('sig-proxy', true)) proxySignals(Promise.resolve(session));
  return await untilExit(session);
}
