import { message } from '../../values/message.ts';
import type { Trouble } from '../log/trouble.ts';
import { type Explanation, program } from './explanation.ts';

type SpecTrouble = Extract<
  Trouble,
  {
    readonly kind:
      | 'unknownSpecKey'
      | 'badSpecValue'
      | 'missingSpecValue'
      | 'missingFile'
      | 'readOnlyPlace'
      | 'noPermission'
      | 'gatedModel'
      | 'weightsMismatch'
      | 'emptyDataset'
      | 'nanLoss';
  }
>;

/** What is cured in the spec or in the data. */
export function explainSpec(trouble: SpecTrouble): Explanation {
  switch (trouble.kind) {
    case 'unknownSpecKey':
      return program(
        message('This network does not know the key {0} of the spec.', trouble.key),
        message('Correct or remove it. Other versions of TAO may call it otherwise.'),
        'openSpec',
      );
    case 'badSpecValue':
      return program(
        trouble.key === undefined
          ? message('A value of the spec is not of the right kind: {0}', trouble.text)
          : message('The value of {0} in the spec is not of the right kind: {1}', trouble.key, trouble.text),
        message('Correct it in the spec.'),
        'openSpec',
      );
    case 'missingSpecValue':
      return program(
        message('The spec has no value for {0}.', trouble.key),
        message('Give it one in the spec.'),
        'openSpec',
      );
    case 'missingFile':
      return program(
        message('The container has no {0}.', trouble.path),
        message(
          'Paths in a spec are those of the container: /data is ~/data on the instance. Upload the file there, or correct the path.',
        ),
        'openSpec',
      );
    case 'readOnlyPlace':
      return program(
        trouble.path === undefined
          ? message('The job tried to write to a place that is read-only.')
          : message('The job may not write to {0}: that place is read-only.', trouble.path),
        message('Let results_dir be below /results or /data.'),
        'openSpec',
      );
    case 'noPermission':
      return program(
        trouble.path === undefined
          ? message('The job was not allowed to use a file.')
          : message('The job was not allowed to use {0}.', trouble.path),
        message('Change its permissions on the instance, or let the container run as its owner.'),
        'openShell',
      );
    case 'gatedModel':
      return gatedModel(trouble);
    case 'weightsMismatch':
      return program(
        message('The pretrained weights do not fit the model of the spec.'),
        message('Use weights of the same backbone, number of classes and TAO version, or none.'),
        'openSpec',
      );
    case 'emptyDataset':
      return program(
        message('The data set has no samples.'),
        message('Check the paths, the annotation file and the splits in the spec.'),
        'openSpec',
      );
    case 'nanLoss':
      return program(
        trouble.epoch === undefined
          ? message('{0} is no number any more (NaN).', trouble.metric)
          : message('{0} is no number any more (NaN), since epoch {1}.', trouble.metric, trouble.epoch + 1),
        message(
          'Lower the learning rate, clip gradients, use precision fp32 or bf16, and look for broken samples.',
        ),
        'openSpec',
      );
  }
}

function gatedModel({ model, hasToken }: SpecTrouble & { readonly kind: 'gatedModel' }): Explanation {
  const sentence =
    model === undefined
      ? message('A model of Hugging Face is only given to accounts that have accepted its terms.')
      : message('{0} is only given to accounts that have accepted its terms.', model);
  return program(
    sentence,
    hasToken === true
      ? message(
          "HF_TOKEN was sent, but its account has not accepted them, or the token may not read gated models. Accept them on the model's page.",
        )
      : message(
          "Accept them on the model's page at huggingface.co, and set HF_TOKEN to a token of that account.",
        ),
    'enterHfToken',
  );
}
