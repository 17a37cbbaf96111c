import { message } from '../../values/message.ts';
import type { Trouble } from '../log/trouble.ts';
import { type Explanation, infra } from './explanation.ts';

/** Why an image couldn't be pulled, and what helps (users.md F). */
export function explainPull({ why, text }: Trouble & { readonly kind: 'imagePull' }): Explanation {
  switch (why) {
    case 'loginNeeded':
      return infra(
        message('The image is only given after a login to NGC on the instance.'),
        message('Enter your NGC key: the job logs in with it (user $oauthtoken) before it pulls.'),
        'enterNgcKey',
      );
    case 'loginRefused':
      return infra(
        message('NGC refused the key.'),
        message('Enter a key that is still valid; keys are made at org.ngc.nvidia.com.'),
        'enterNgcKey',
      );
    case 'noEntitlement':
      return infra(
        message('The account of your NGC key has no right to this image.'),
        message('Ask for access in NGC, or choose a public image. Another login does not help.'),
      );
    case 'noSuchImage':
      return infra(
        message('There is no such image or tag.'),
        message('Correct the image, for example to the one that the settings name.'),
        'changeRun',
      );
    case 'diskFull':
      return infra(
        message("The instance's disk is too full for the image."),
        message(
          'TAO images take about 20 GB when unpacked. Free some space there, or use an instance with a larger disk.',
        ),
        'openShell',
      );
    case 'rateLimit':
      return infra(
        message('The registry wants fewer pulls.'),
        message('Try again later, or log in.'),
        'retryJob',
      );
    case 'registryHiccup':
      return infra(
        message("The registry's anonymous sign-in failed, as it does now and then."),
        message('Try again. If it stays, the image needs an NGC key.'),
        'retryJob',
      );
    case 'network':
      return infra(
        message('The instance could not reach the registry: {0}', text),
        message('Try again; if it stays, look at the network of the instance.'),
        'retryJob',
      );
    case 'other':
      return infra(
        message('The image could not be pulled: {0}', text),
        message('The log shows what docker said.'),
        'showJobLog',
      );
  }
}
