import { after, from } from './excerpt.ts';
import { gpusThere } from './gpuSigns.ts';
import type { Trouble } from './trouble.ts';

/** The words of lines that only say more of a trouble that was told before. */
export const refiningWords = [
  'full_key: ',
  'huggingface.co/',
  ' Client Error',
  'But your machine only has: ',
];

/** A trouble with what a later line adds to it; undefined when it adds nothing. */
export function refined(trouble: Trouble, text: string): Trouble | undefined {
  switch (trouble.kind) {
    case 'unknownSpecKey':
    case 'missingSpecValue': {
      const key = fullKey(text);
      return key === undefined || key === trouble.key || !key.endsWith(trouble.key)
        ? undefined
        : { ...trouble, key };
    }
    case 'badSpecValue': {
      const key = fullKey(text);
      return key === undefined || key === trouble.key ? undefined : { ...trouble, key };
    }
    case 'gatedModel':
      return gatedModel(trouble, text);
    case 'tooFewGpus': {
      const { there } = gpusThere(text);
      return there === undefined || there === trouble.there ? undefined : { ...trouble, there };
    }
    default:
      return undefined;
  }
}

/** The key in full, which hydra and OmegaConf give in the line after the complaint. */
function fullKey(text: string): string | undefined {
  return /^\S{1,200}/.exec(after(text, 'full_key: ') ?? '')?.[0];
}

/** The address and the answer of Hugging Face stand in lines of their own. */
function gatedModel(trouble: Trouble & { readonly kind: 'gatedModel' }, text: string): Trouble | undefined {
  const url = /^huggingface\.co\/([\w.-]{1,100}\/[\w.-]{1,100})/.exec(
    from(text, 'huggingface.co/') ?? '',
  )?.[1];
  const at = text.indexOf(' Client Error');
  const status = at < 0 ? '' : text.slice(Math.max(0, at - 3), at);
  const hasToken = trouble.hasToken ?? (/^40[13]$/.test(status) ? status === '403' : undefined);
  const model = trouble.model ?? url?.replace(/\.$/, '');
  return model === trouble.model && hasToken === trouble.hasToken
    ? undefined
    : { ...trouble, model, hasToken };
}
