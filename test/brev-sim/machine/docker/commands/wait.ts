import { connectRunner, openSession } from '../control.ts';
import { DockerFailure } from '../failure.ts';
import { requireEngine } from '../faults.ts';
import { commandLine, parseLine } from '../flags.ts';
import { findContainer, machineFolder, requireContainer } from '../store.ts';
import { needWords } from '../words.ts';

/** `docker wait`: blocks, then prints each exit code; its own exit code says only whether it could. */
export async function wait(args: string[]): Promise<number> {
  const line = parseLine(commandLine('wait', 'CONTAINER [CONTAINER...]', ''), args);
  needWords(line, 1);
  const machine = machineFolder();
  let status = 0;
  for (const word of line.words) {
    try {
      await requireEngine(machine, `/containers/${word}/wait`);
      process.stdout.write(`${await exitCodeOf(machine, word)}\n`);
    } catch (error) {
      if (!(error instanceof DockerFailure)) throw error;
      process.stderr.write(`${error.message}\n`);
      status = 1;
    }
  }
  return status;
}

/** Waits until a container doesn't run; one that never ran counts as ended with 0. */
export async function exitCodeOf(machine: string, word: string): Promise<number> {
  const container = await requireContainer(machine, word);
  if (container.state.status === 'running') {
    const socket = await connectRunner(container.config.id);
    if (socket !== undefined) {
      const session = openSession(socket, { op: 'wait' });
      const code = await session.exit;
      socket.destroy();
      if (code !== undefined) return code;
    }
    return (await findContainer(machine, container.config.id))?.state.exitCode ?? 137;
  }
  return container.state.exitCode;
}
