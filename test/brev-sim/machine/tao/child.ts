import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from './job.ts';
import { playAction } from './other-actions.ts';
import {
  ComposeFailure,
  fileNotFound,
  HYDRA_HINT,
  PythonFailure,
  readOnlyFileSystem,
  tracebackLines,
} from './python-failure.ts';
import { StatusLog } from './status-log.ts';
import { train } from './train.ts';
import { ChildKilled, Interrupted } from './trouble.ts';

/** Runs the training child; returns its exit code. */
export async function runChild(job: Job): Promise<number> {
  if (job.scenario === 'silent') {
    await job.pause(job.knob('silent_seconds', 30));
    return 0;
  }
  try {
    await runScript(job);
    job.console.childEnds();
    return 0;
  } catch (error) {
    if (error instanceof ChildKilled) {
      if (job.network.torchrun) childFailed(job, error.exitCode);
      job.console.childEnds();
      return 1;
    }
    if (error instanceof ComposeFailure) {
      job.console.childLine(`${error.message}\n\n${HYDRA_HINT}`);
      job.console.childEnds();
      return 1;
    }
    if (!(error instanceof PythonFailure)) throw error;
    const lines = tracebackLines(error, job.script, job.command.overrides);
    for (const line of lines) job.console.childLine(job.distributed ? ranked(line) : line);
    if (job.network.torchrun) childFailed(job, 1);
    job.console.childEnds();
    // Some networks pass although they failed (contract part 3).
    return job.scenario === 'false-pass' ? 0 : 1;
  }
}

/** torch marks every line of a rank's traceback; hydra's own lines stay bare. */
function ranked(text: string): string {
  if (text === '' || text === HYDRA_HINT || text.startsWith('Error executing job')) return text;
  return text.replaceAll(/^/gm, '[rank0]: ');
}

function childFailed(job: Job, exitCode: number): void {
  const bar = '='.repeat(60);
  for (const line of [
    'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
    bar,
    `${job.script} FAILED`,
    '-'.repeat(60),
    'Failures:',
    '  <NO_OTHER_FAILURES>',
    '-'.repeat(60),
    'Root Cause (first observed failure):',
    '[0]:',
    '  rank      : 0 (local_rank: 0)',
    `  exitcode  : ${exitCode} (pid: 88)`,
    '  error_file: <N/A>',
    bar,
  ]) {
    job.console.childLine(line);
  }
}

/** The script of one action: configuration, results folder, status file, the work, the last word. */
async function runScript(job: Job): Promise<void> {
  const { action } = job.command;
  checkKeys(job);
  if (job.spec.text('results_dir') === '' && job.spec.text(`${action}.results_dir`) === '') {
    throw new PythonFailure(
      'ValueError',
      'You need to set at least one of following fields: results_dir, {mode}.results_dir',
      'uncaught',
    );
  }
  const capital = action.charAt(0).toUpperCase() + action.slice(1);
  job.console.childPrint(`${capital} results will be saved at: ${job.resultsDir}`);
  if (job.readOnly(job.resultsDir)) throw readOnlyFileSystem(job.resultsDir);
  job.makeFolder(job.resultsDir);
  const folder = job.host(job.resultsDir);
  writeFileSync(join(folder, 'experiment.yaml'), job.spec.yaml());
  const status = new StatusLog(join(folder, 'status.json'));
  status.write('STARTED', `Starting ${job.network.title} ${action}.`);
  try {
    await work(job, status);
  } catch (error) {
    if (error instanceof Interrupted) {
      status.write('FAILURE', `User/System interruption: ${capital} was interrupted`);
      return;
    }
    // Runtime errors such as CUDA's pass the decorator by: they leave no FAILURE (contract part 3).
    if (error instanceof PythonFailure && error.kind !== 'uncaught') {
      status.write('FAILURE', `${error.kind}: ${error.message}`);
    }
    throw error;
  }
  status.write('RUNNING', `${capital} finished successfully.`);
}

async function work(job: Job, status: StatusLog): Promise<void> {
  const { action } = job.command;
  checkInputs(job);
  checkUser(job);
  if (job.spec.at('train.seed') !== -1 && action === 'train') {
    job.console.childLine(`Seed set to ${job.spec.number('train.seed', 1234)}`);
  }
  if (job.scenario === 'gated-model') throw gatedModel(job);
  announceDevices(job);
  if (action === 'train' || action === 'distill' || action === 'retrain') {
    await train(job, status);
  } else {
    await playAction(job, status);
  }
}

const TOP_KEYS =
  /^(model_name|encryption_key|results_dir|wandb|clearml|model|dataset|train|evaluate|inference|export|quantize|distill|prune|gen_trt_engine|task|local_rank|defaults|sim|dataset_convert|convert|retrain|default_specs|num_gpus|class_names|inputs|preprocess|metrics|visualize|calibration)$/;

/** Hydra refuses a key that the schema doesn't have, before there is a status file. */
function checkKeys(job: Job): void {
  const unknown = Object.keys(job.spec.tree).find((key) => !TOP_KEYS.test(key));
  const key = unknown ?? (job.scenario === 'bad-key' ? 'num_epoch' : undefined);
  if (key === undefined) return;
  const file = job.command.spec?.replace(/^.*\//, '').replace(/\.ya?ml$/, '') ?? 'spec';
  throw new ComposeFailure(
    `In '${file}': ConfigKeyError raised while composing config:\nKey '${key}' not in 'ExperimentConfig'\n    full_key: ${key}\n    object_type=ExperimentConfig`,
  );
}

/** Data, checkpoints and weights that the spec names must be there. */
function checkInputs(job: Job): void {
  const { action } = job.command;
  if (job.scenario === 'missing-file') throw fileNotFound('/data/annotations/train.csv');
  const paths = [
    ...job.spec.pathsBelow('dataset'),
    ...job.spec.pathsBelow('model'),
    job.spec.text(`${action}.pretrained_model_path`),
    job.spec.text(`${action}.resume_training_checkpoint_path`),
  ];
  const missing = paths.find((path) => path !== '' && !job.exists(path));
  if (missing !== undefined) throw fileNotFound(missing);
}

/** A numeric --user without a name in the environment has no entry in the image's passwd (contract part 2). */
function checkUser(job: Job): void {
  const uid = job.around.user.split(':')[0] ?? '';
  const named = ['LOGNAME', 'USER', 'LNAME', 'USERNAME'].some((name) => (job.env[name] ?? '') !== '');
  if (!/^[1-9]\d*$/.test(uid) || named) return;
  throw new PythonFailure('KeyError', `'getpwuid(): uid not found: ${uid}'`, 'uncaught', [
    ['/usr/lib/python3.12/getpass.py', 169, 'getuser', 'return pwd.getpwuid(os.getuid())[0]'],
  ]);
}

function gatedModel(job: Job): PythonFailure {
  const why = (job.env.HF_TOKEN ?? '') === '' ? '401 Client Error.' : '403 Client Error.';
  return new PythonFailure(
    'OSError',
    `You are trying to access a gated repo.\nMake sure to have access to it at https://huggingface.co/nvidia/C-RADIOv2-B.\n${why} (Request ID: Root=1-000)\n\nCannot access gated repo for url https://huggingface.co/nvidia/C-RADIOv2-B/resolve/main/config.json.\nAccess to model nvidia/C-RADIOv2-B is restricted. You must have access to it and be authenticated to access it. Please log in.`,
    'File system error',
  );
}

/** Lightning's device lines; asking for more GPUs than there are ends the run. */
function announceDevices(job: Job): void {
  const wanted = job.wantedGpus;
  const have = job.around.gpus;
  const used = have.length > 0;
  const gpuWork = !['export', 'convert', 'dataset_convert'].includes(job.command.action);
  if (gpuWork) {
    for (const line of [
      `GPU available: ${used ? 'True (cuda)' : 'False'}, used: ${used ? 'True' : 'False'}`,
      'TPU available: False, using: 0 TPU cores',
      'HPU available: False, using: 0 HPUs',
    ]) {
      job.console.childLine(line);
    }
    if (!used) {
      throw new PythonFailure(
        'lightning_fabric.utilities.exceptions.MisconfigurationException',
        'No supported gpu backend found!',
        'uncaught',
      );
    }
    const beyond = wanted.some((gpu) => !have.includes(gpu));
    if (beyond) {
      throw new PythonFailure(
        'lightning_fabric.utilities.exceptions.MisconfigurationException',
        `You requested gpu: [${wanted.join(', ')}]\n But your machine only has: [${have.join(', ')}]`,
        'uncaught',
      );
    }
  }
  if (job.distributed && gpuWork) announceRanks(job);
  for (const rank of gpuWork ? wanted : []) {
    job.console.childLine(`LOCAL_RANK: ${rank} - CUDA_VISIBLE_DEVICES: [${wanted.join(',')}]`);
  }
}

function announceRanks(job: Job): void {
  const size = job.wantedGpus.length;
  for (const rank of job.wantedGpus.keys()) {
    job.console.childLine(`Initializing distributed: GLOBAL_RANK: ${rank}, MEMBER: ${rank + 1}/${size}`);
  }
  const rule = '-'.repeat(100);
  for (const line of [
    rule,
    'distributed_backend=nccl',
    `All distributed processes registered. Starting with ${size} processes`,
    rule,
    '',
    ...job.wantedGpus.map(
      (rank) =>
        `[rank${rank}]:[W1201 10:00:01.123456789 reducer.cpp:1400] Warning: find_unused_parameters=True was specified in DDP constructor, but did not find any unused parameters in the forward pass.`,
    ),
  ]) {
    job.console.childLine(line);
  }
}
