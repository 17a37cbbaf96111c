import type { S3Trouble } from '../../storage/s3.ts';
import type { S3PathProblem } from '../../storage/s3Path.ts';
import { type Message, message } from '../../values/message.ts';
import { unreachable } from '../../values/unreachable.ts';
import type { LaunchFix } from './launchCheck.ts';

/** A trouble in words, and what would help. */
export interface Told {
  readonly sentence: Message;
  readonly fix?: LaunchFix;
  /** True when it has nothing to do with the one path: every other would end the same. */
  readonly forAll: boolean;
}

/** What is wrong with the text of a path. */
export function tellProblem(problem: S3PathProblem): Message {
  switch (problem) {
    case 'notS3':
      return message('An S3 path begins with s3:// in small letters.');
    case 'noBucket':
      return message('The bucket is missing: write s3://bucket/path.');
    case 'bucketName':
      return message('S3 allows no bucket of this name: write s3://bucket/path.');
    case 'noKey':
      return message('That is a whole bucket: write which folder or file in it.');
    case 'key':
      return message('The path has . or .. as a name, or is too long: write it out.');
  }
}

/** What keeps S3 from answering as hoped; `line` is where the spec has the path. Never holds a key or an answer's text. */
export function tellTrouble(trouble: S3Trouble, bucket: string, line: number): Told {
  const openSpec: LaunchFix = { kind: 'openSpec', line };
  switch (trouble.kind) {
    case 'bucketMissing':
      return {
        sentence: message(
          'There is no bucket {0} at this S3 server. Check its name, and S3_ENDPOINT_URL.',
          bucket,
        ),
        fix: openSpec,
        forAll: false,
      };
    case 'accessDenied':
      return {
        sentence: message(
          'These keys may not read it. Ask the owner of {0} for s3:GetObject and s3:ListBucket, or enter other keys.',
          bucket,
        ),
        fix: { kind: 'enterCredential', name: 'ACCESS_KEY' },
        forAll: false,
      };
    case 'keyUnknown':
      return {
        sentence: message('The S3 server does not know ACCESS_KEY. Enter one that is valid there.'),
        fix: { kind: 'enterCredential', name: 'ACCESS_KEY' },
        forAll: true,
      };
    case 'signatureWrong':
      return {
        sentence: message('SECRET_KEY does not belong to ACCESS_KEY. Enter it again.'),
        fix: { kind: 'enterCredential', name: 'SECRET_KEY' },
        forAll: true,
      };
    case 'keysUnusable':
      return {
        sentence: message('ACCESS_KEY or SECRET_KEY has characters that no key has. Enter both again.'),
        fix: { kind: 'enterCredential', name: 'ACCESS_KEY' },
        forAll: true,
      };
    case 'sessionExpired':
      return {
        sentence: message('The session of these temporary keys has expired. Enter new keys.'),
        fix: { kind: 'enterCredential', name: 'ACCESS_KEY' },
        forAll: true,
      };
    case 'clockWrong':
      return {
        sentence: message(
          'The clock of this computer is wrong by minutes, so S3 refuses. Set it, then try again.',
        ),
        forAll: true,
      };
    case 'otherRegion':
      return {
        sentence:
          trouble.region === ''
            ? message('{0} is in another region. Set CLOUD_REGION to it.', bucket)
            : message(
                '{0} is in region {1}, which this endpoint does not serve. Correct CLOUD_REGION and S3_ENDPOINT_URL.',
                bucket,
                trouble.region,
              ),
        fix: { kind: 'enterCredential', name: 'CLOUD_REGION' },
        forAll: false,
      };
    case 'endpointInvalid':
      return {
        sentence: message('S3_ENDPOINT_URL is not a web address such as https://host:port. Enter it again.'),
        fix: { kind: 'enterCredential', name: 'S3_ENDPOINT_URL' },
        forAll: true,
      };
    case 'regionInvalid':
      return {
        sentence: message('CLOUD_REGION is not a region such as us-east-1. Enter it again.'),
        fix: { kind: 'enterCredential', name: 'CLOUD_REGION' },
        forAll: true,
      };
    case 'unreachable':
      return {
        sentence: message(
          'The S3 server does not answer ({0}). Check the network and S3_ENDPOINT_URL.',
          trouble.code === '' ? '-' : trouble.code,
        ),
        fix: { kind: 'enterCredential', name: 'S3_ENDPOINT_URL' },
        forAll: true,
      };
    case 'timedOut':
      return {
        sentence: message(
          'The S3 server did not answer in time. Check the network and S3_ENDPOINT_URL, then try again.',
        ),
        fix: { kind: 'enterCredential', name: 'S3_ENDPOINT_URL' },
        forAll: true,
      };
    case 'serverTrouble':
      return {
        sentence: message('The S3 server has trouble (HTTP {0}). Try again in a while.', trouble.status),
        forAll: false,
      };
    case 'unexpected':
      return {
        sentence: message(
          'What answers is not like an S3 server (HTTP {0} {1}). Check S3_ENDPOINT_URL.',
          trouble.status,
          trouble.code,
        ),
        fix: { kind: 'enterCredential', name: 'S3_ENDPOINT_URL' },
        forAll: false,
      };
    case 'cancelled':
      return { sentence: message('Not checked.'), forAll: true };
    default:
      return unreachable(trouble);
  }
}
