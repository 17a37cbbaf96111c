import type { S3Credentials } from '../../storage/s3.ts';
import { message } from '../../values/message.ts';
import { foundIn } from '../credentials.ts';
import type { LaunchContext } from './context.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';

/** Are the keys there that a job's s3:// paths need, by their names only. */
export function s3Keys({ credentials, envFilePath }: LaunchContext): LaunchCheck {
  const line = lineOf('s3Keys', message('S3 keys'));
  const [access, secret] = [credentials.get('ACCESS_KEY'), credentials.get('SECRET_KEY')];
  if (access === undefined || secret === undefined) {
    return line(
      'failed',
      access === undefined && secret === undefined
        ? message('ACCESS_KEY and SECRET_KEY are not set, and the spec has s3:// paths. Enter both.')
        : message(
            '{0} is not set, and the spec has s3:// paths. Enter it.',
            access === undefined ? 'ACCESS_KEY' : 'SECRET_KEY',
          ),
      { kind: 'enterCredential', name: access === undefined ? 'ACCESS_KEY' : 'SECRET_KEY' },
    );
  }
  return access.source === secret.source
    ? line('passed', foundIn('ACCESS_KEY, SECRET_KEY', access.source, envFilePath))
    : line(
        'warning',
        message('ACCESS_KEY and SECRET_KEY come from two places, so they may not belong together.'),
        { kind: 'enterCredential', name: 'SECRET_KEY' },
      );
}

/** The job's own keys and endpoint, by the names that TAO knows (tao.md part 5); undefined while a key is missing. */
export function s3CredentialsOf({ credentials }: LaunchContext): S3Credentials | undefined {
  const value = (name: string) => credentials.get(name)?.value;
  const [accessKey, secretKey] = [value('ACCESS_KEY'), value('SECRET_KEY')];
  return accessKey === undefined || secretKey === undefined
    ? undefined
    : {
        accessKey,
        secretKey,
        sessionToken: value('AWS_SESSION_TOKEN'),
        endpoint: value('S3_ENDPOINT_URL'),
        region: value('CLOUD_REGION'),
      };
}
