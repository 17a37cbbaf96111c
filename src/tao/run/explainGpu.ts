import { type Message, message } from '../../values/message.ts';
import type { Trouble } from '../log/trouble.ts';
import { type Explanation, infra, program } from './explanation.ts';

type GpuTrouble = Extract<
  Trouble,
  {
    readonly kind:
      | 'cudaOutOfMemory'
      | 'ncclTimeout'
      | 'ncclError'
      | 'driverTooOld'
      | 'gpuRuntimeMissing'
      | 'gpuUnsupported'
      | 'gpuFault'
      | 'tooFewGpus'
      | 'deviceAssert';
  }
>;

/** What goes wrong with GPUs and between them. */
export function explainGpu(trouble: GpuTrouble): Explanation {
  switch (trouble.kind) {
    case 'cudaOutOfMemory':
      return program(
        outOfMemory(trouble),
        message('Lower the batch size or the image size in the spec, or choose GPUs with more memory.'),
        'pickOffer',
      );
    case 'ncclTimeout':
      return infra(
        trouble.seconds === undefined
          ? message(
              'The GPUs waited for each other until the time limit: one of them hangs or has died (NCCL timeout).',
            )
          : message(
              'The GPUs waited {0} s for each other: one of them hangs or has died (NCCL timeout).',
              trouble.seconds,
            ),
        message(
          'Look in the log for an earlier error of another process. If there is none, run it again, or on fewer GPUs.',
        ),
        'retryJob',
      );
    case 'ncclError':
      return infra(
        message('The GPUs could not talk to each other (NCCL: {0}).', trouble.text),
        message(
          'Run it again. If it stays, set NCCL_DEBUG=INFO to see why, try NCCL_P2P_DISABLE=1, or use one GPU.',
        ),
        'retryJob',
      );
    case 'driverTooOld':
      return infra(
        message("The instance's NVIDIA driver is too old for this image: {0}", trouble.text),
        message('TAO 7 needs driver 580 or newer. Choose another instance, or an older TAO image.'),
        'pickOffer',
      );
    case 'gpuRuntimeMissing':
      return infra(
        message('docker on the instance cannot give its GPUs to a container.'),
        message(
          'Use an instance in VM mode with an NVIDIA GPU, or install the NVIDIA container toolkit there.',
        ),
        'pickOffer',
      );
    case 'gpuUnsupported':
      return program(
        message("This image has no code for the instance's kind of GPU."),
        message('Choose an instance with another GPU, or a newer TAO image.'),
        'pickOffer',
      );
    case 'gpuFault':
      return infra(
        message('A GPU of the instance is faulty: {0}', trouble.text),
        message(
          'Run it on another instance; it goes on from its last checkpoint when the results come along.',
        ),
        'pickOffer',
      );
    case 'tooFewGpus':
      return program(
        tooFewGpus(trouble),
        message('Lower num_gpus (and gpu_ids) in the spec, or choose an instance with more GPUs.'),
        'pickOffer',
      );
    case 'deviceAssert':
      return program(
        message('The GPU met a value that cannot be, such as a class beyond num_classes.'),
        message(
          'Check num_classes and the labels of the data set. CUDA_LAUNCH_BLOCKING=1 shows the exact place.',
        ),
        'openSpec',
      );
  }
}

function outOfMemory(trouble: GpuTrouble & { readonly kind: 'cudaOutOfMemory' }): Message {
  const { gpu = 0, triedGib, freeGib, totalGib } = trouble;
  if (triedGib !== undefined && freeGib !== undefined && totalGib !== undefined) {
    return message(
      'GPU {0} ran out of memory: {1} GiB more were wanted, {2} of its {3} GiB were free.',
      gpu,
      triedGib,
      freeGib,
      totalGib,
    );
  }
  return triedGib === undefined
    ? message('A GPU ran out of memory.')
    : message('GPU {0} ran out of memory: {1} GiB more were wanted.', gpu, triedGib);
}

function tooFewGpus({ asked, there }: GpuTrouble & { readonly kind: 'tooFewGpus' }): Message {
  return asked === undefined || there === undefined
    ? message('The spec asks for more GPUs than the container has.')
    : message('The spec asks for {0} GPUs, and the container has {1}.', asked, there);
}
