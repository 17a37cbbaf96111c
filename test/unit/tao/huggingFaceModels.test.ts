import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { huggingFaceModels } from '../../../src/tao/huggingFaceModels.ts';

const modelOf = (key: string, value: string): string | undefined => {
  const [model] = huggingFaceModels([{ value, keyPath: ['model', key], line: 7 }]);
  return model && `${model.line} ${model.id}${model.gated ? ' gated' : ''}`;
};

describe('huggingFaceModels', () => {
  it('knows gated models wherever they stand', () => {
    for (const key of ['type', 'x']) {
      assert.equal(modelOf(key, 'meta-llama/Llama-3.1-8B'), '7 meta-llama/Llama-3.1-8B gated');
      assert.equal(modelOf(key, 'hf://facebook/dinov3-vitl16/model.bin'), '7 facebook/dinov3-vitl16 gated');
      assert.equal(modelOf(key, 'https://huggingface.co/google/gemma-2b?x'), '7 google/gemma-2b gated');
    }
  });

  it('guesses others by the address or the key', () => {
    assert.equal(modelOf('x', 'hf://nvidia/C-RADIO'), '7 nvidia/C-RADIO');
    assert.equal(modelOf('pretrained_model_name_or_path', 'facebook/dinov2-base'), '7 facebook/dinov2-base');
    assert.equal(
      modelOf('hf_model', 'black-forest-labs/FLUX.1-schnell'),
      '7 black-forest-labs/FLUX.1-schnell',
    );
  });

  it('takes no path or name for a model', () => {
    for (const [key, value] of [
      ['pretrained_model_path', 'models/best'],
      ['pretrained_backbone', 'models/best.pth'],
      ['pretrained_backbone', '/data/models/best'],
      ['image', 'org/name'],
      ['backbone', 'fan_small_12'],
      ['model', 'https://huggingface.co/datasets/a/b'],
      ['model', 'a/b/c'],
    ] as const) {
      assert.equal(modelOf(key, value), undefined, value);
    }
  });

  it('names each once', () => {
    const scalar = { value: 'meta-llama/x', keyPath: ['a'], line: 1 };
    assert.equal(huggingFaceModels([scalar, { ...scalar, line: 2 }]).length, 1);
  });
});
