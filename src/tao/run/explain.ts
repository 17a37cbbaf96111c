import { message } from '../../values/message.ts';
import type { Trouble } from '../log/trouble.ts';
import { explainGpu } from './explainGpu.ts';
import { explainPull } from './explainPull.ts';
import { explainSpec } from './explainSpec.ts';
import { type Explanation, infra, program } from './explanation.ts';

/** Says what went wrong and what to do about it. */
export function explain(trouble: Trouble): Explanation {
  switch (trouble.kind) {
    case 'cudaOutOfMemory':
    case 'ncclTimeout':
    case 'ncclError':
    case 'driverTooOld':
    case 'gpuRuntimeMissing':
    case 'gpuUnsupported':
    case 'gpuFault':
    case 'tooFewGpus':
    case 'deviceAssert':
      return explainGpu(trouble);
    case 'unknownSpecKey':
    case 'badSpecValue':
    case 'missingSpecValue':
    case 'missingFile':
    case 'readOnlyPlace':
    case 'noPermission':
    case 'gatedModel':
    case 'weightsMismatch':
    case 'emptyDataset':
    case 'nanLoss':
      return explainSpec(trouble);
    case 'imagePull':
      return explainPull(trouble);
    case 'hostOutOfMemory':
      return program(
        message('The instance ran out of memory (RAM, not GPU memory), and the job was killed.'),
        message(
          'Lower the number of data loader workers (dataset…workers) or the batch size, or choose an instance with more RAM.',
        ),
        'pickOffer',
      );
    case 'sharedMemory':
      return program(
        message('The data loaders ran out of shared memory (/dev/shm).'),
        message(
          'Jobs of this extension share the memory of the instance (--ipc=host), so it is the instance that has too little: lower the number of workers in the spec, or choose one with more RAM.',
        ),
        'openSpec',
      );
    case 'diskFull':
      return program(
        trouble.path === undefined
          ? message("The instance's disk is full.")
          : message("The instance's disk is full: {0} could not be written.", trouble.path),
        message(
          'Free some space on the instance, keep fewer checkpoints (train.checkpoint_interval), or use an instance with a larger disk.',
        ),
        'openShell',
      );
    case 'noUser':
      return program(
        message('The container runs as user {0}, which its image does not know.', trouble.uid),
        message('Run it as root, or set USER and HOME in its environment.'),
      );
    case 'workerKilled':
      return workerKilled(trouble.signal);
    case 'dockerDown':
      return infra(
        message('docker on the instance does not answer.'),
        message('Start its daemon, or restart the instance; TAO needs an instance in VM mode.'),
        'openShell',
      );
    case 'interrupted':
      return program(
        message('The run was interrupted before its end; TAO calls that a pass.'),
        message('Run it again with the same results folder: it goes on from its last checkpoint.'),
        'retryJob',
      );
    case 'killed':
      return program(
        message('The container was killed from outside (exit code {0}).', trouble.exitCode),
        message(
          'Somebody stopped it, the instance was stopped, or its memory was full. Run it again: it goes on from its last checkpoint when the results folder is the same.',
        ),
        'retryJob',
      );
    case 'exception':
      return program(
        trouble.rank === undefined
          ? message('{0}: {1}', trouble.type, trouble.text)
          : message('{0}: {1} (on GPU process {2})', trouble.type, trouble.text, trouble.rank),
        message('The log shows where it happened.'),
        'showJobLog',
      );
  }
}

function workerKilled(signal: number): Explanation {
  switch (signal) {
    case 9:
      return program(
        message(
          'A process of the training was killed, most likely because the instance ran out of memory (RAM).',
        ),
        message(
          'Lower the number of data loader workers or the batch size, or choose an instance with more RAM.',
        ),
        'pickOffer',
      );
    case 7:
      return explain({ kind: 'sharedMemory' });
    default:
      return program(
        message('A process of the training ended by signal {0}.', signal),
        message('The log shows what it said before.'),
        'showJobLog',
      );
  }
}
