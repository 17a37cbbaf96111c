import type { S3Credentials } from '../../storage/s3.ts';
import { message } from '../../values/message.ts';
import { foundIn } from '../credentials.ts';
import type { LaunchContext } from './context.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';

/** Are the keys there that a job's s3:// paths need, by their names only: one line each. */
export function s3Keys({ credentials, envFilePath }: LaunchContext): readonly LaunchCheck[] {
  const access = credentials.get('ACCESS_KEY');
  return (['ACCESS_KEY', 'SECRET_KEY'] as const).map((name) => {
    const line = lineOf(`s3Keys:${name}`, message('S3 key: {0}', name));
    const credential = credentials.get(name);
    if (credential === undefined) {
      return line('failed', message('{0} is not set, and the spec has s3:// paths. Enter it.', name), {
        kind: 'enterCredential',
        name,
      });
    }
    return access === undefined || access.source === credential.source
      ? line('passed', foundIn(name, credential.source, envFilePath))
      : line(
          'warning',
          message('{0} comes from another place than ACCESS_KEY: they may not belong together.', name),
          { kind: 'enterCredential', name },
        );
  });
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
