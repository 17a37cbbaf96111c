import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from './job.ts';
import { PythonFailure } from './python-failure.ts';

const TORCH = '/usr/local/lib/python3.12/dist-packages/torch';
const LIGHTNING = '/usr/local/lib/python3.12/dist-packages/pytorch_lightning';

const FIT: [string, number, string, string] = [
  `${LIGHTNING}/trainer/trainer.py`,
  538,
  'fit',
  'call._call_and_handle_interrupt(',
];

/** The training child dies without an exception of its own: the exit code is all there is. */
export class ChildKilled extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ctrl-C in the child: TAO notes it, and passes (contract part 3). */
export class Interrupted extends Error {}

/** Ends the whole container's first process, as a kill from outside does: nothing is flushed. */
function killSelf(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered before kill() returns; this line only tells the compiler so.
  throw new Error('still alive after SIGKILL');
}

/** What befalls a run in the middle of an epoch, by its scenario; `ok` and the like pass. */
export async function befall(job: Job, epoch: number): Promise<void> {
  switch (job.scenario) {
    case 'cuda-oom':
      throw outOfMemory(job);
    case 'device-assert':
      throw new PythonFailure(
        'RuntimeError',
        'CUDA error: device-side assert triggered\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n',
        'uncaught',
        [FIT],
      );
    case 'bus-error':
      job.console.childLine(
        'ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).',
      );
      throw new PythonFailure(
        'RuntimeError',
        `DataLoader worker (pid ${400 + epoch}) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit.`,
        'uncaught',
        [FIT, [`${TORCH}/utils/data/dataloader.py`, 1251, '_try_get_data', 'raise RuntimeError(']],
      );
    case 'nccl-timeout':
      await ncclTimeout(job);
      break;
    case 'killed':
      killSelf();
      break;
    case 'host-oom':
      // The runner reads this file: it stands for the kernel's own record of the kill.
      writeFileSync(join(job.around.dir, 'oom'), '');
      killSelf();
      break;
    case 'hang':
      await new Promise(() => setInterval(() => undefined, 60_000));
      break;
    case 'user-interrupt':
      job.console.childLine('\nDetected KeyboardInterrupt, attempting graceful shutdown ...');
      throw new Interrupted();
    case 'passing-failure':
      failButGoOn(job);
      break;
    case 'false-pass':
      throw new PythonFailure(
        'ValueError',
        'need at least one array to concatenate',
        'Parameter validation error',
        [FIT],
      );
    default:
      break;
  }
}

function outOfMemory(job: Job): PythonFailure {
  const total = (job.around.gpuMemoryMiB / 1024).toFixed(2);
  const inUse = ((job.around.gpuMemoryMiB - 1126) / 1024).toFixed(2);
  return new PythonFailure(
    'torch.OutOfMemoryError',
    `CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of ${total} GiB of which 1.10 GiB is free. Process 4242 has ${inUse} GiB memory in use. Of the allocated memory 41.20 GiB is allocated by PyTorch, and 1.37 GiB is reserved by PyTorch but unallocated.`,
    'uncaught',
    [
      FIT,
      [
        `${TORCH}/nn/modules/module.py`,
        1739,
        '_wrapped_call_impl',
        'return self._call_impl(*args, **kwargs)',
      ],
      [`${TORCH}/nn/modules/conv.py`, 549, '_conv_forward', 'return F.conv2d('],
    ],
  );
}

/** Every rank waits, the watchdogs speak, the process aborts (contract part 3, samples 9 and 10). */
async function ncclTimeout(job: Job): Promise<void> {
  await job.pause(job.knob('nccl_seconds', 2));
  for (const rank of job.wantedGpus) {
    job.console.childLine(
      `[rank${rank}]:[E1201 10:02:11.512345678 ProcessGroupNCCL.cpp:632] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=88, OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=600000) ran for 600041 milliseconds before timing out.`,
    );
  }
  job.console.childLine(
    '[rank0]: torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:268, unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5',
  );
  job.console.childLine("terminate called after throwing an instance of 'c10::DistBackendError'");
  throw new ChildKilled('SIGABRT', -6);
}

/** An ERROR of any logger becomes a FAILURE line in 7.x although the run goes on (contract part 3). */
function failButGoOn(job: Job): void {
  const now = new Date();
  const date = `${now.getUTCMonth() + 1}/${now.getUTCDate()}/${now.getUTCFullYear()}`;
  const time = `${now.getUTCHours()}:${now.getUTCMinutes()}:${now.getUTCSeconds()}`;
  const message = 'Could not reach the MLOps server, metrics stay local';
  appendFileSync(
    join(job.host(job.resultsDir), 'status.json'),
    `{"date": "${date}", "time": "${time}", "status": "FAILURE", "verbosity": "ERROR", "message": "${message}"}\n`,
  );
  job.console.childLog('ERROR', message, 'wandb.py:88');
}

/** Output that is hard to read: much of it, cut escapes, broken text. */
export async function strangeOutput(job: Job): Promise<void> {
  const { console } = job;
  switch (job.scenario) {
    case 'huge-log': {
      const line = `${'x'.repeat(120)} augmentation pipeline statistics for sample batch\n`;
      const block = Buffer.from(line.repeat(512));
      const blocks = Math.ceil((job.knob('megabytes', 20) * 1024 * 1024) / block.length);
      for (let index = 0; index < blocks; index++) console.raw(block);
      break;
    }
    case 'ansi-split':
      for (const part of [
        '\x1b',
        '[3',
        '2',
        'mok',
        '\x1b[',
        '0m',
        '\n',
        '\x1b[1;3',
        '1mred\x1b',
        '[0m plain\n',
      ]) {
        console.raw(Buffer.from(part));
        await console.pause(5);
      }
      break;
    case 'invalid-utf8':
      console.raw(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0xff, 0xfe, 0x0a]));
      // A character cut in two by time, one cut off for good, a byte that never starts one, a NUL.
      console.raw(Buffer.from([0xe5, 0xad]));
      await console.pause(5);
      console.raw(Buffer.from([0xa6, 0x0a, 0xf0, 0x9f, 0x98, 0x0a, 0x80, 0x41, 0x00, 0x42, 0x0a]));
      break;
    default:
      break;
  }
}
