import type { JobSecrets } from '../platforms/platform.ts';
import type { CredentialName } from '../preflight/credentials.ts';
import type { Credentials } from './credentials.ts';

/** The TAO tools' names of what a container gets, and the names that the programs in it know (tao.md part 1, Env). */
const VARIABLES: readonly [CredentialName, string][] = [
  ['ACCESS_KEY', 'AWS_ACCESS_KEY_ID'],
  ['SECRET_KEY', 'AWS_SECRET_ACCESS_KEY'],
  ['AWS_SESSION_TOKEN', 'AWS_SESSION_TOKEN'],
  ['S3_ENDPOINT_URL', 'AWS_ENDPOINT_URL'],
  ['CLOUD_REGION', 'AWS_DEFAULT_REGION'],
  ['S3_BUCKET_NAME', 'S3_BUCKET_NAME'],
  ['HF_TOKEN', 'HF_TOKEN'],
  ['NGC_KEY', 'NGC_KEY'],
];

/** The secrets of a job: those that the user has. */
export async function jobSecrets(credentials: Credentials): Promise<JobSecrets> {
  const found = await Promise.all(
    VARIABLES.map(async ([name, variable]) => [variable, (await credentials.find(name))?.value] as const),
  );
  const environment = new Map(
    found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
  return { environment, ngcKey: environment.get('NGC_KEY') };
}
