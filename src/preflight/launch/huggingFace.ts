import { huggingFaceModels } from '../../tao/huggingFaceModels.ts';
import type { SpecScalar } from '../../tao/specScalars.ts';
import { message } from '../../values/message.ts';
import { foundIn } from '../credentials.ts';
import type { LaunchContext } from './context.ts';
import { type LaunchCheck, lineOf } from './launchCheck.ts';

/** For models of Hugging Face: is there a token. Refused only for those that are known to ask for one. */
export function huggingFace(
  { credentials, envFilePath }: LaunchContext,
  scalars: readonly SpecScalar[],
): readonly LaunchCheck[] {
  const models = huggingFaceModels(scalars);
  const model = models.find(({ gated }) => gated) ?? models[0];
  if (model === undefined) {
    return [];
  }
  const line = lineOf('huggingFace', message('Hugging Face token'));
  const token = credentials.get('HF_TOKEN');
  if (token !== undefined) {
    return [line('passed', foundIn('HF_TOKEN', token.source, envFilePath))];
  }
  return [
    model.gated
      ? line(
          'failed',
          message(
            'HF_TOKEN is not set, and {0} (line {1}) is only given to accounts that have accepted its terms. Accept them on huggingface.co, then enter a token of that account.',
            model.id,
            model.line,
          ),
          { kind: 'enterCredential', name: 'HF_TOKEN' },
        )
      : line(
          'warning',
          message(
            'HF_TOKEN is not set. If {0} (line {1}) is a gated model of Hugging Face, its download will fail.',
            model.id,
            model.line,
          ),
          { kind: 'enterCredential', name: 'HF_TOKEN' },
        ),
  ];
}
