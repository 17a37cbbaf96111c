import { message } from '../../values/message.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';
import type { RemoteFacts } from './remoteFacts.ts';

/** Is docker there and its daemon reachable, with or without sudo. */
export function docker(facts: RemoteFacts | undefined): LaunchCheck {
  const line = lineOf('docker', message('Docker'));
  switch (facts?.docker?.kind) {
    case undefined:
      return line('skipped', message('Not checked: the instance could not be asked.'));
    case 'missing':
      return line(
        'failed',
        message(
          'The instance has no docker. Jobs need an instance in VM mode, which comes with it: create one and run there.',
        ),
      );
    case 'down': {
      const words = facts?.docker?.kind === 'down' ? facts.docker.words : '';
      return line(
        'failed',
        message(
          'Docker is installed, but its daemon does not answer: {0} Restart it on the instance with: sudo systemctl restart docker',
          words === '' ? '-' : words,
        ),
      );
    }
    case 'up':
      return line('passed', message('Docker answers.'));
  }
}
