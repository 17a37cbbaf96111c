import type { SpecScalar } from './specScalars.ts';

/** A model of Hugging Face that a spec names. */
export interface HuggingFaceModel {
  /** `organisation/name`. */
  readonly id: string;
  readonly line: number;
  /** Known to ask for an account that has accepted its terms. Others may, too. */
  readonly gated: boolean;
}

/** Only what is sure to be gated stands here: a public model must not be held up. */
const GATED = [
  /^meta-llama\//i,
  /^facebook\/dinov3-/i,
  /^facebook\/sam3/i,
  /^google\/(?:gemma|paligemma|medgemma)/i,
  /^black-forest-labs\/FLUX\.1-(?!schnell)/i,
  /^stabilityai\/stable-diffusion-3/i,
];
const ID = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;
const ADDRESS = /^(?:hf:\/\/|https?:\/\/huggingface\.co\/)(?!datasets\/|spaces\/)([^/?#]+\/[^/?#@]+)/i;
/** A key that holds a model rather than, say, a folder of data. */
const MODEL_KEY = /(?:^|_)(?:hf|huggingface|pretrained|model|tokenizer|backbone|teacher|encoder)(?:_|$)/i;
/** `models/best` under such a key is a path of the container, unless the key says that it may be either. */
const PATH_KEY = /(?<!name_or)_(?:path|dir|file)$/i;
const FILE =
  /\.(?:pth?|onnx|ya?ml|json|tlt|hdf5|engine|txt|safetensors|ckpt|tar|csv|npy|plan|bin|tfrecord)$/i;

/** The Hugging Face models that a spec seems to load, each once. A guess, except for the gated ones. */
export function huggingFaceModels(scalars: readonly SpecScalar[]): readonly HuggingFaceModel[] {
  const models = new Map<string, HuggingFaceModel>();
  for (const { value, keyPath, line } of scalars) {
    const id = ADDRESS.exec(value)?.[1] ?? (isModelId(value, keyPath) ? value : undefined);
    if (id !== undefined && !models.has(id)) {
      models.set(id, { id, line, gated: GATED.some((pattern) => pattern.test(id)) });
    }
  }
  return [...models.values()];
}

function isModelId(value: string, keyPath: readonly string[]): boolean {
  if (!ID.test(value) || FILE.test(value)) {
    return false;
  }
  const key = keyPath.at(-1) ?? '';
  return GATED.some((pattern) => pattern.test(value)) || (MODEL_KEY.test(key) && !PATH_KEY.test(key));
}
