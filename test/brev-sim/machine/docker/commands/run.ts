import { forwardStdin, proxySignals, toOwnStreams, untilExit } from '../attachment.ts';
import { DockerFailure, engineError, runError } from '../failure.ts';
import { strikingFault } from '../faults.ts';
import { type ParsedLine, parseLine } from '../flags.ts';
import { requireStarted, startContainer } from '../launch.ts';
import { createContainer } from '../new-container.ts';
import { createLine, runLine } from '../run-flags.ts';
import { machineFolder } from '../store.ts';
import { needWords } from '../words.ts';

/** `docker run`: create, start and, unless detached, follow to the end. */
export async function run(args: string[]): Promise<number> {
  const line = parseLine(runLine(), args);
  needWords(line, 1);
  if (line.on('detach') && line.has('attach')) {
    throw new DockerFailure('conflicting options: cannot specify both --attach and --detach');
  }
  if (line.on('tty') && line.on('interactive') && !line.on('detach') && process.stdin.isTTY !== true) {
    throw new DockerFailure('the input device is not a TTY');
  }
  try {
    return await runParsed(line);
  } catch (error) {
    throw runError(error);
  }
}

async function runParsed(line: ParsedLine): Promise<number> {
  const machine = machineFolder();
  const container = await createContainer(machine, line);
  const detached = line.on('detach');
  // A detached run says its id before it starts, so a failed start has an id on stdout and an error on stderr.
  if (detached) process.stdout.write(`${container.config.id}\n`);
  const fault = strikingFault(machine, 'run', line.words[0]);
  if (fault !== undefined && fault.error !== 'create') {
    throw engineError(
      fault.text ??
        'failed to create task for container: failed to create shim task: context deadline exceeded',
    );
  }
  const starting = startContainer(container, detached ? undefined : toOwnStreams());
  if (!detached && line.on('sig-proxy', true)) proxySignals(starting);
  const session = await starting;
  await requireStarted(session);
  if (detached) {
    session.socket.destroy();
    return 0;
  }
  if (line.on('interactive')) forwardStdin(session);
  return await untilExit(session);
}

/** `docker create`: prints the id of a container that isn't started. */
export async function create(args: string[]): Promise<number> {
  const line = parseLine(createLine(), args);
  needWords(line, 1);
  const machine = machineFolder();
  const container = await createContainer(machine, line);
  process.stdout.write(`${container.config.id}\n`);
  return 0;
}
