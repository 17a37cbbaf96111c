import { type Fit, type Fitting, fitting } from '../../tao/fit.ts';
import { fitOfRun } from '../../tao/runFit.ts';
import { message } from '../../values/message.ts';
import type { LaunchContext } from './context.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';
import type { RemoteFacts } from './remoteFacts.ts';

/** Has the machine the GPUs that the run needs, in number and memory. What isn't known stays unknown. */
export async function machineSize(
  context: LaunchContext,
  facts: RemoteFacts | undefined,
): Promise<LaunchCheck> {
  const line = lineOf('machineSize', message('Size of the machine'));
  const fit = await fitOfRun(context.run, context.catalogue);
  const fits = fittingOf(context, fit, facts?.gpus);
  switch (fits.kind) {
    case 'fits':
      return line(
        'passed',
        fit.gpus === undefined && fit.minVramGb === undefined
          ? message('It has a GPU; how much {0} needs is not known.', context.run.network)
          : message('It has all that {0} is known to need.', context.run.network),
      );
    case 'tooSmall':
      return line('warning', fits.reason, { kind: 'findMachine' });
    case 'unknown':
      return line('skipped', message('Whether {0} is large enough is not known.', context.instance.name));
  }
}

/** By what the instance itself shows, before what its type should have. */
function fittingOf({ instance, offer, run }: LaunchContext, fit: Fit, seen: number | undefined): Fitting {
  const there = seen ?? offer?.gpu?.count;
  if (there === undefined || there === 0) {
    // a machine without GPUs is told by the line of the GPUs
    return { kind: 'unknown' };
  }
  const count = run.gpus === 'all' ? there : Math.min(run.gpus, there);
  const { name = '', vramGb = 0 } = offer?.gpu ?? {};
  return fitting({ type: instance.name, gpu: { name, count, vramGb } }, fit);
}
