import { checkS3Bucket } from '../../storage/s3.ts';
import { parseS3Path } from '../../storage/s3Path.ts';
import type { SpecPath } from '../../tao/specPaths.ts';
import { message } from '../../values/message.ts';
import type { LaunchContext } from './context.ts';
import { inParallel } from './inParallel.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';
import { s3CredentialsOf } from './s3Keys.ts';
import { tellProblem, tellTrouble } from './s3Trouble.ts';
import { shortened } from './shortened.ts';

const AT_ONCE = 6;

/** Does the bucket of each s3:// output answer the job's keys. Nothing is written. */
export async function s3Outputs(
  context: LaunchContext,
  outputs: readonly SpecPath[],
  signal: AbortSignal,
): Promise<readonly LaunchCheck[]> {
  const lines = await inParallel(outputs, AT_ONCE, async (output) => ({
    name: output.value,
    check: await checkOutput(context, output, signal),
  }));
  return shortened('s3Output', message('More outputs in S3'), lines);
}

async function checkOutput(
  context: LaunchContext,
  output: SpecPath,
  signal: AbortSignal,
): Promise<LaunchCheck> {
  const line = lineOf(`s3Output:${output.value}`, message('Output: {0}', output.value));
  const refusal = output.needed ? 'failed' : 'warning';
  const reading = parseS3Path(output.value, { wholeBucket: true });
  if (reading.kind === 'problem') {
    return line(refusal, tellProblem(reading.problem), { kind: 'openSpec', line: output.line });
  }
  const credentials = s3CredentialsOf(context);
  if (credentials === undefined) {
    return line('skipped', message('Checked once ACCESS_KEY and SECRET_KEY are set.'));
  }
  const { bucket } = reading.path;
  const outcome = await checkS3Bucket(reading.path, credentials, signal, context.fetch ?? globalThis.fetch);
  switch (outcome.kind) {
    case 'reachable':
      return line(
        'passed',
        message('{0} answers these keys. Whether they may write is not tried before the run.', bucket),
      );
    case 'accessDenied':
      // keys that may only write can't list
      return line(
        'warning',
        message('These keys may not list {0}, so it is not known whether they may write there.', bucket),
      );
    case 'cancelled':
      return line('skipped', message('Not checked.'));
    default: {
      const { sentence, fix } = tellTrouble(outcome, bucket, output.line);
      return line(refusal, sentence, fix);
    }
  }
}
