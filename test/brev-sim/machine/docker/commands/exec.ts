import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { planExecution } from '../execution.ts';
import { DockerFailure, engineError } from '../failure.ts';
import { requireEngine } from '../faults.ts';
import { commandLine, parseLine } from '../flags.ts';
import { environmentOf } from '../option-values.ts';
import { dockerFolder, machineFolder, requireContainer } from '../store.ts';
import { needWords } from '../words.ts';

/** `docker exec`: one more process in a running container. */
export async function exec(args: string[]): Promise<number> {
  const usage = '[OPTIONS] CONTAINER COMMAND [ARG...]';
  const flags = 'd,detach detach-keys= e,env= env-file= i,interactive privileged t,tty u,user= w,workdir=';
  const line = parseLine(commandLine('exec', usage, flags, false), args);
  needWords(line, 2);
  const machine = machineFolder();
  const [word = '', ...argv] = line.words;
  await requireEngine(machine, `/containers/${word}/exec`);
  const { dir, config, state } = await requireContainer(machine, word);
  if (state.status !== 'running') throw engineError(`container ${config.id} is not running`);
  const env = environmentOf(line, config.env);
  const workdir = line.value('workdir') ?? config.workdir;
  const plan = planExecution(dockerFolder(machine), dir, { ...config, env, workdir }, argv);
  if ('error' in plan) {
    throw new DockerFailure(
      plan.error.replace(
        /^.*error during container init: /,
        'OCI runtime exec failed: exec failed: unable to start container process: ',
      ),
      plan.exitCode,
    );
  }
  const child = spawn(plan.file, plan.args, {
    cwd: plan.cwd,
    env: plan.env,
    detached: true,
    stdio: line.on('detach')
      ? 'ignore'
      : [line.on('interactive') ? 'inherit' : 'ignore', 'inherit', 'inherit'],
  });
  if (line.on('detach')) {
    child.unref();
    return 0;
  }
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}
