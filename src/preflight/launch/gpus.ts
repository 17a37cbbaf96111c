import type { RunSpec } from '../../tao/runSpec.ts';
import { message } from '../../values/message.ts';
import type { LaunchContext } from './context.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';
import type { RemoteFacts } from './remoteFacts.ts';

/** Can a container get the GPUs that the job asks for. */
export function gpus({ run, instance }: LaunchContext, facts: RemoteFacts | undefined): LaunchCheck {
  const line = lineOf('gpus', message('GPUs'));
  if (facts?.docker?.kind !== 'up') {
    return line('skipped', message('Checked once docker answers on the instance.'));
  }
  if (facts.gpuRuntime === false || facts.gpus === 0) {
    return line(
      'failed',
      facts.gpus === 0 || facts.gpus === undefined
        ? message('{0} shows no usable GPU. Run the job on an instance that has one.', instance.name)
        : message(
            'The GPUs of {0} cannot be given to a container: the NVIDIA container toolkit is missing. Use an instance in VM mode, or install the toolkit.',
            instance.name,
          ),
    );
  }
  if (facts.gpus === undefined) {
    return line('warning', message('How many GPUs {0} has could not be seen.', instance.name));
  }
  return enough(run.gpus, facts.gpus)
    ? line('passed', message('Usable in containers: {0}.', facts.gpus))
    : line(
        'failed',
        message(
          'The job asks for {0} GPUs and {1} has {2}. Choose fewer, or a larger instance.',
          run.gpus,
          instance.name,
          facts.gpus,
        ),
      );
}

function enough(asked: RunSpec['gpus'], there: number): boolean {
  return asked === 'all' || asked <= there;
}
