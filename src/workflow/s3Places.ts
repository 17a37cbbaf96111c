import { parseS3Path, type S3Path } from '../storage/s3Path.ts';
import type { Failure } from '../values/failure.ts';
import { type Message, message } from '../values/message.ts';
import type { StepOutput } from './plan.ts';

/** Where what a job left goes when it didn't succeed: beside its outputs, where nobody takes it for one. */
export function placeOfFailed({ uri }: StepOutput, jobId: string): string {
  const isFolder = uri.endsWith('/');
  return `${uri.replace(/\/+$/, '')}.${jobId}${isFolder ? '/' : ''}`;
}

/** A URI of a plan that was read without problems. */
export function pathOf(uri: string): S3Path {
  const reading = parseS3Path(uri);
  return reading.kind === 'path' ? reading.path : { bucket: '', key: '' };
}

export function noKeys(): Failure {
  return inS3(
    message('ACCESS_KEY and SECRET_KEY are not set, so nothing can be read from or written to S3.'),
  );
}

export function inS3(sentence: Message): Failure {
  return { kind: 'remoteFailed', message: sentence, retrySafe: true };
}
