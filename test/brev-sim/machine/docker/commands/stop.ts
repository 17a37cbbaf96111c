import { constants } from 'node:os';
import { simulationSpeed } from '../../speed.ts';
import { connectRunner, openSession, type Request } from '../control.ts';
import { DockerFailure, engineError } from '../failure.ts';
import { requireEngine } from '../faults.ts';
import { commandLine, type ParsedLine, parseLine } from '../flags.ts';
import { integerOf } from '../option-values.ts';
import { type Container, machineFolder, requireContainer } from '../store.ts';
import { needWords } from '../words.ts';

const USAGE = '[OPTIONS] CONTAINER [CONTAINER...]';

/** `docker stop`: the stop signal, then SIGKILL when the time is up. */
export async function stop(args: string[]): Promise<number> {
  const line = parseLine(commandLine('stop', USAGE, 's,signal= t,timeout= time='), args);
  needWords(line, 1);
  const timeout = integerOf(line, 'timeout') ?? integerOf(line, 'time');
  if (line.has('time')) process.stdout.write('Flag --time has been deprecated, use --timeout instead\n');
  const machine = machineFolder();
  return await eachContainer(line, machine, 'stop', async ({ config, state }) => {
    if (state.status !== 'running') return;
    const seconds = timeout ?? config.stopTimeout ?? 10;
    const signal = signalName(
      line.value('signal') ?? (config.stopSignal === '' ? 'TERM' : config.stopSignal),
    );
    const milliseconds = seconds < 0 ? -1 : (seconds * 1000) / simulationSpeed(machine);
    await askAndWait(config.id, { op: 'stop', signal, milliseconds }, true);
  });
}

/** `docker kill`: one signal; it waits for nothing but the delivery. */
export async function kill(args: string[]): Promise<number> {
  const line = parseLine(commandLine('kill', USAGE, 's,signal='), args);
  needWords(line, 1);
  return await eachContainer(line, machineFolder(), 'kill', async ({ config, state }) => {
    const signal = signalName(line.value('signal') ?? 'KILL');
    if (state.status !== 'running') {
      throw engineError(
        `cannot kill container: ${line.words[0] ?? ''}: container ${config.id} is not running`,
      );
    }
    await askAndWait(config.id, { op: 'signal', signal }, signal === 'SIGKILL');
  });
}

function signalName(text: string): string {
  const entries = Object.entries(constants.signals);
  const name = text.toUpperCase().replace(/^(SIG)?/, 'SIG');
  const found = entries.find(([known, value]) => known === name || String(value) === text);
  if (found === undefined) throw engineError(`invalid signal: ${text}`);
  return found[0];
}

/** Sends a request to a container's runner, and waits for the container's end if that is what follows. */
export async function askAndWait(id: string, request: Request, untilEnd: boolean): Promise<void> {
  const socket = await connectRunner(id);
  if (socket === undefined) return;
  const session = openSession(socket, request);
  await session.answer;
  if (untilEnd) await session.exit;
  socket.destroy();
}

async function eachContainer(
  line: ParsedLine,
  machine: string,
  verb: string,
  act: (container: Container) => Promise<void>,
): Promise<number> {
  const outcomes = await Promise.all(
    line.words.map(async (word) => {
      try {
        await requireEngine(machine, `/containers/${word}/${verb}`);
        await act(await requireContainer(machine, word));
        return undefined;
      } catch (error) {
        if (error instanceof DockerFailure) return error;
        throw error;
      }
    }),
  );
  for (const [index, failure] of outcomes.entries()) {
    if (failure === undefined) process.stdout.write(`${line.words[index] ?? ''}\n`);
    else process.stderr.write(`${failure.message}\n`);
  }
  return outcomes.every((failure) => failure === undefined) ? 0 : 1;
}
