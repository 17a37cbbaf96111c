import { existsSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { restorePaths, toHost } from '../docker/container-paths.ts';
import { runChild } from './child.ts';
import { parseCommand, type TaoCommand } from './command.ts';
import { TaoConsole } from './console.ts';
import { Job, readSurroundings, type Surroundings } from './job.ts';
import { chooseScenario } from './scenario.ts';
import { loadSpec } from './spec.ts';

const SUBTASKS = [
  'convert',
  'dataset_convert',
  'default_specs',
  'distill',
  'evaluate',
  'export',
  'gen_trt_engine',
  'inference',
  'prune',
  'quantize',
  'retrain',
  'train',
];

/** TAO's launcher: checks the words, runs the child, gives the verdict; returns the exit code. */
export async function play(words: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const console = new TaoConsole(env);
  const around = readSurroundings(env);
  // Words that came through a real shell were rewritten to host paths for it.
  const command = parseCommand(words.map((word) => restorePaths(around.paths, word)));
  if (command === undefined) {
    console.raw(Buffer.from(`${words.join(' ')}: no such program in this simulated image\n`), 2);
    return 1;
  }
  if (!SUBTASKS.includes(command.action)) {
    const choices = SUBTASKS.map((name) => `'${name}'`).join(', ');
    console.raw(
      Buffer.from(
        `usage: ${command.network} [-h] [-e EXPERIMENT_SPEC_FILE] {${SUBTASKS.join(',')}} ...\n${command.network}: error: argument subtask: invalid choice: '${command.action}' (choose from ${choices})\n`,
      ),
      2,
    );
    return 2;
  }
  if (command.action === 'default_specs') return writeDefaultSpec(command, around, console);
  const file = specFile(command, around, console);
  if (file === undefined) return 1;
  const spec = loadSpec(file, command.overrides);
  const scenario = chooseScenario(env, spec);
  const job = new Job(command, spec, scenario, around, env);
  return await runWithVerdict(job);
}

function specFile(command: TaoCommand, around: Surroundings, console: TaoConsole): string | undefined {
  if (command.spec === undefined) {
    console.print(
      `ERROR: The subtask \`${command.action}\` requires the following argument: -e/--experiment_spec_file`,
    );
    return undefined;
  }
  // A program of the container that is no shell (the SDK's script runner) writes its temporary spec to the real /tmp.
  const candidates = isAbsolute(command.spec)
    ? [toHost(around.paths, command.spec), ...(command.spec.startsWith('/tmp/') ? [command.spec] : [])]
    : [join(process.cwd(), command.spec)];
  const file = candidates.find((path) => existsSync(path));
  if (file !== undefined) return file;
  console.print(`ERROR: The indicated experiment spec file \`${command.spec}\` doesn't exist!`);
  return undefined;
}

function writeDefaultSpec(command: TaoCommand, around: Surroundings, console: TaoConsole): number {
  const asked = command.overrides
    .find((text) => text.startsWith('results_dir='))
    ?.slice('results_dir='.length);
  const folder = toHost(around.paths, asked ?? '/workspace');
  writeFileSync(
    join(folder, 'experiment_spec.yaml'),
    'results_dir: /results\ntrain:\n  num_epochs: 10\n  num_gpus: 1\n',
  );
  console.print(`Default specification file saved to: ${asked ?? '/workspace'}/experiment_spec.yaml`);
  return 0;
}

/** Runs the child and says how it ended; a SIGINT to the launcher counts as a pass (contract part 3). */
async function runWithVerdict(job: Job): Promise<number> {
  if (job.command.direct || job.scenario === 'silent') return await runChild(job);
  const interrupted = new Promise<'interrupted'>((resolve) =>
    process.once('SIGINT', () => resolve('interrupted')),
  );
  const wanted = job.wantedGpus;
  if (
    job.command.processes === undefined &&
    wanted.length > 1 &&
    job.spec.at(`${job.command.action}.gpu_ids`) === undefined
  ) {
    job.console.log('WARNING', `Number of gpus ${wanted.length} != len([0]).`, 'entrypoint.py:193');
    job.console.log(
      'INFO',
      `Using GPUs [${wanted.join(', ')}] (total ${wanted.length})`,
      'entrypoint.py:196',
    );
  }
  const outcome = await Promise.race([runChild(job), interrupted]);
  if (outcome === 'interrupted') job.console.log('INFO', 'Command was interrupted', 'entrypoint.py:338');
  const passed = outcome === 'interrupted' || outcome === 0;
  job.console.log('INFO', 'Sending telemetry data.', 'entrypoint.py:355');
  if (passed) job.console.log('INFO', 'Execution status: PASS', 'entrypoint.py:376');
  else job.console.log('WARNING', 'Execution status: FAIL', 'entrypoint.py:373');
  // The child of an interrupted launcher still has timers; the container's end takes them along.
  if (outcome === 'interrupted') process.exit(0);
  return passed ? 0 : 1;
}
