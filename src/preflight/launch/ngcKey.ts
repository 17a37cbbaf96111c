import { message } from '../../values/message.ts';
import { foundIn } from '../credentials.ts';
import type { LaunchContext } from './context.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';
import type { RemoteFacts } from './remoteFacts.ts';

/** For an image from nvcr.io: is there a key to pull it with. Public images need none, so it is never a refusal. */
export function ngcKey(
  { run, credentials, envFilePath }: LaunchContext,
  facts: RemoteFacts | undefined,
): readonly LaunchCheck[] {
  if (!run.image.startsWith('nvcr.io/')) {
    return [];
  }
  const line = lineOf('ngcKey', message('NGC key'));
  const key = credentials.get('NGC_KEY');
  if (key !== undefined) {
    return [line('passed', foundIn('NGC_KEY', key.source, envFilePath))];
  }
  if (facts?.imagePresent === true) {
    return [line('passed', message('Not needed: the image is on the instance already.'))];
  }
  return [
    line('warning', message('NGC_KEY is not set. Enter it, unless this image is public: {0}', run.image), {
      kind: 'enterCredential',
      name: 'NGC_KEY',
    }),
  ];
}
