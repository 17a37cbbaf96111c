import { DockerFailure, engineError } from '../failure.ts';
import { requireEngine } from '../faults.ts';
import { commandLine, parseLine } from '../flags.ts';
import { findContainer, machineFolder, removeContainer } from '../store.ts';
import { needWords } from '../words.ts';
import { askAndWait } from './stop.ts';

/** `docker rm`: with `-f` it kills first, and a container that isn't there is a text but no failure. */
export async function rm(args: string[]): Promise<number> {
  const usage = '[OPTIONS] CONTAINER [CONTAINER...]';
  const line = parseLine(commandLine('rm', usage, 'f,force l,link v,volumes'), args);
  needWords(line, 1);
  const machine = machineFolder();
  let status = 0;
  for (const word of line.words) {
    try {
      await requireEngine(machine, `/containers/${word}`);
      const found = await removeOne(machine, word, line.on('force'));
      if (found) process.stdout.write(`${word}\n`);
    } catch (error) {
      if (!(error instanceof DockerFailure)) throw error;
      process.stderr.write(`${error.message}\n`);
      status = 1;
    }
  }
  return status;
}

async function removeOne(machine: string, word: string, force: boolean): Promise<boolean> {
  const container = await findContainer(machine, word);
  if (container === undefined) {
    const failure = engineError(`No such container: ${word}`);
    if (!force) throw failure;
    process.stderr.write(`${failure.message}\n`);
    return false;
  }
  if (container.state.status === 'running') {
    if (!force) {
      throw engineError(
        `cannot remove container "/${container.config.name}": container is running: stop the container before removing or force remove`,
      );
    }
    await askAndWait(container.config.id, { op: 'signal', signal: 'SIGKILL' }, true);
  }
  removeContainer(machine, container);
  return true;
}
