import type { CatalogueAction, CatalogueFile, CatalogueModel } from './catalogue.ts';

/** What is particular to an action: an array of its files where nothing else is. */
export type ActionData =
  | readonly string[]
  | { readonly files: readonly string[]; readonly command?: string; readonly image?: string };

export interface ModelData {
  readonly id: string;
  readonly network?: string;
  readonly arch?: string;
  /** Of all actions but `gen_trt_engine`; null when it is none of the listed ones. */
  readonly image?: string | null;
  /** Least and recommended for training. */
  readonly gpus?: readonly [min: number, recommended: number];
  readonly minVramGb?: number;
  readonly actions: Readonly<Record<string, ActionData>>;
}

export const RESUME = 'file? train.resume_training_checkpoint_path';
export const PRETRAINED = 'file? train.pretrained_model_path';
export const EVALUATE = 'file evaluate.checkpoint';
export const INFERENCE = 'file inference.checkpoint';
export const EXPORT = ['file export.checkpoint', '> file export.onnx_file'];
export const QUANTIZE = 'file quantize.model_path';
export const ENGINE = ['file gen_trt_engine.onnx_file', '> file gen_trt_engine.trt_engine'];

/** Makes a model of its data. A file is `folder key`, `file? key` when it isn't needed, `> file key` when it is written. */
export function builtInModel(data: ModelData): CatalogueModel {
  const network = data.network ?? data.id;
  return {
    id: data.id,
    network,
    arch: data.arch ?? data.id,
    gpus: data.gpus === undefined ? undefined : { min: data.gpus[0], recommended: data.gpus[1] },
    minVramGb: data.minVramGb,
    actions: Object.entries(data.actions).map(([name, action]) => toAction(data, network, name, action)),
  };
}

function toAction(data: ModelData, network: string, name: string, action: ActionData): CatalogueAction {
  const { files, command, image } = 'files' in action ? action : { files: action };
  const usual = name === 'gen_trt_engine' ? 'tao_toolkit.deploy' : (data.image ?? 'tao_toolkit.pyt');
  return {
    name,
    command: `${command ?? `${network} ${name}`} -e {config_path}`,
    imageKey: image ?? (data.image === null ? undefined : usual),
    inputs: files.filter((line) => !line.startsWith('>')).map(toFile),
    outputs: ['folder results_dir', ...files.filter((line) => line.startsWith('>'))].map(toFile),
  };
}

function toFile(line: string): CatalogueFile {
  const [type = 'file', key = ''] = line.replace(/^> /, '').split(' ');
  return { key, type: type.replace('?', ''), isOptional: type.endsWith('?') };
}
