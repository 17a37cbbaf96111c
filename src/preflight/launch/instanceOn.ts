import { message } from '../../values/message.ts';
import type { LaunchContext } from './context.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';

/** Is the instance on, by the last list. */
export function instanceOn({ instance }: LaunchContext): LaunchCheck {
  const line = lineOf('instanceOn', message('Instance'));
  return instance.on
    ? line('passed', message('{0} is on.', instance.name))
    : line(
        'failed',
        message(
          '{0} is not on (state: {1}). Start it, and wait until it is ready.',
          instance.name,
          instance.state,
        ),
      );
}
