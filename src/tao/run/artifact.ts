/** What an action leaves behind when it has worked: the kind of its files. */
export type ArtifactKind = 'weights' | 'model' | 'engine' | 'results';

/** Whether it is there; `unknown` when nobody could look. */
export type Artifact = 'present' | 'missing' | 'unknown';

const KINDS: Readonly<Record<string, ArtifactKind>> = {
  train: 'weights',
  retrain: 'weights',
  segment_train: 'weights',
  distill: 'weights',
  prune: 'weights',
  quantize: 'weights',
  convert: 'weights',
  export: 'model',
  gen_trt_engine: 'engine',
};
const FILES: Readonly<Record<Exclude<ArtifactKind, 'results'>, RegExp>> = {
  weights: /\.(?:pth|pt|ckpt|tlt|safetensors|onnx)$/i,
  model: /\.(?:onnx|onnxe|etlt|uff)$/i,
  engine: /\.(?:engine|trt|plan)$/i,
};
/** Files that every run writes, whatever becomes of it (tao.md part 3). */
const BY_THE_WAY =
  /(?:^|\/)(?:experiment\.yaml|status\.json|lightning_logs(?:\/.*)?|events\.out\..*|hparams\.yaml|log|spec\.yaml)$/;

export function artifactKind(action: string): ArtifactKind {
  return KINDS[action] ?? 'results';
}

/** Whether a list of a results folder's files (with folders, by `/`) has what the action is run for. */
export function artifactIn(action: string, files: readonly string[]): Artifact {
  const kind = artifactKind(action);
  const found =
    kind === 'results'
      ? files.some((file) => !BY_THE_WAY.test(file))
      : files.some((file) => FILES[kind].test(file));
  return found ? 'present' : 'missing';
}
