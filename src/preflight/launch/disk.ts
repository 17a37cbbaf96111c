import { message } from '../../values/message.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';
import type { RemoteFacts } from './remoteFacts.ts';

/** A TAO image takes about that much while it is unpacked. */
const ENOUGH_BYTES = 20 * 1024 ** 3;

/** Is there room for the image, unless it is there already. */
export function disk(facts: RemoteFacts | undefined): LaunchCheck {
  const line = lineOf('disk', message('Disk space'));
  if (facts?.docker?.kind !== 'up' || facts.freeBytes === undefined) {
    return line('skipped', message('Not checked: the instance did not tell.'));
  }
  const free = Math.floor(facts.freeBytes / 1024 ** 3);
  if (facts.imagePresent === true) {
    return line('passed', message('{0} GB free, and the image is there already.', free));
  }
  return facts.freeBytes >= ENOUGH_BYTES
    ? line('passed', message('{0} GB free; the image will be pulled.', free))
    : line(
        'warning',
        message(
          'Only {0} GB free, and the image is not there yet: pulling it may fill the disk. Remove what is not needed (docker system prune), or use a larger disk.',
          free,
        ),
      );
}
