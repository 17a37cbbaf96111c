import { checkS3Bucket, checkS3Path, type S3Credentials, type S3Outcome } from '../../storage/s3.ts';
import { parseS3Path, type S3Path } from '../../storage/s3Path.ts';
import { folderOfPattern } from '../../tao/pathPattern.ts';
import type { SpecPath } from '../../tao/specPaths.ts';
import { message } from '../../values/message.ts';
import type { LaunchContext } from './context.ts';
import { inParallel } from './inParallel.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';
import { s3CredentialsOf } from './s3Keys.ts';
import { type Told, tellProblem, tellTrouble } from './s3Trouble.ts';
import { type NamedLine, shortened } from './shortened.ts';

const AT_ONCE = 6;
/** More is a mistake of the spec, or would take minutes. */
const MAX_ASKED = 200;

/** Is each s3:// input of the spec there, at exactly its path, for the job's own keys. */
export async function s3Inputs(
  context: LaunchContext,
  inputs: readonly SpecPath[],
  signal: AbortSignal,
): Promise<readonly LaunchCheck[]> {
  const credentials = s3CredentialsOf(context);
  const fetch = context.fetch ?? globalThis.fetch;
  let told: Told | undefined;
  const lines = await inParallel(inputs.slice(0, MAX_ASKED), AT_ONCE, async (input): Promise<NamedLine> => {
    const line = lineOf(`s3Input:${input.value}`, message('Input: {0}', input.value));
    const pattern = folderOfPattern(input.value);
    const reading = parseS3Path(pattern ?? input.value, { wholeBucket: pattern !== undefined });
    const name = input.value;
    if (reading.kind === 'problem') {
      return {
        name,
        check: line(refusal(input), tellProblem(reading.problem), { kind: 'openSpec', line: input.line }),
      };
    }
    if (credentials === undefined) {
      return { name, check: line('skipped', message('Checked once ACCESS_KEY and SECRET_KEY are set.')) };
    }
    if (told !== undefined) {
      return { name, check: line('skipped', message('Not checked: it would fail like the one above.')) };
    }
    const outcome = await ask(reading.path, credentials, signal, fetch);
    const { bucket } = reading.path;
    switch (outcome.kind) {
      case 'object':
        return { name, check: line('passed', message('There, and readable.')) };
      case 'folder':
        return {
          name,
          check: line(
            'passed',
            pattern === undefined
              ? message('A folder, and readable.')
              : message('The folder of the pattern is there; which files match was not checked.'),
          ),
        };
      case 'missing':
        return {
          name,
          check: line(
            refusal(input),
            message('Nothing is at exactly this path in {0}. Upload it, or correct the spec.', bucket),
            { kind: 'openSpec', line: input.line },
          ),
        };
      case 'archived':
        return {
          name,
          check: line(
            refusal(input),
            message('It is archived (Glacier). Restore it first, or copy it to another storage class.'),
          ),
        };
      default: {
        const trouble = tellTrouble(outcome, bucket, input.line);
        const seenBefore = told !== undefined;
        if (trouble.forAll) {
          told ??= trouble;
        }
        // several were on their way when the first came back
        return seenBefore && trouble.forAll
          ? { name, check: line('skipped', message('Not checked: it would fail like the one above.')) }
          : {
              name,
              check: line(
                outcome.kind === 'cancelled' ? 'skipped' : trouble.forAll ? 'failed' : refusal(input),
                trouble.sentence,
                trouble.fix,
              ),
            };
      }
    }
  });
  return [...shortened('s3Input', message('More inputs in S3'), lines), ...tooMany(inputs.length)];
}

/** A pattern right below the bucket asks for the bucket itself. */
async function ask(
  path: S3Path,
  credentials: S3Credentials,
  signal: AbortSignal,
  fetch: typeof globalThis.fetch,
): Promise<S3Outcome> {
  if (path.key !== '') {
    return checkS3Path(path, credentials, signal, fetch);
  }
  const outcome = await checkS3Bucket(path, credentials, signal, fetch);
  return outcome.kind === 'reachable' ? { kind: 'folder' } : outcome;
}

/** What this action seems not to read is no reason to refuse it. */
function refusal(input: SpecPath): 'failed' | 'warning' {
  return input.needed ? 'failed' : 'warning';
}

function tooMany(count: number): readonly LaunchCheck[] {
  return count <= MAX_ASKED
    ? []
    : [
        lineOf('s3Input:unchecked', message('More inputs in S3'))(
          'warning',
          message('{0} more were not checked.', count - MAX_ASKED),
        ),
      ];
}
