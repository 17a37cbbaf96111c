import {
  ENGINE,
  EVALUATE,
  EXPORT,
  INFERENCE,
  type ModelData,
  PRETRAINED,
  QUANTIZE,
  RESUME,
} from './builtInModel.ts';

const BACKBONE = 'file? model.backbone.pretrained_backbone_path';
const CHARACTERS = 'file dataset.character_list_file';

/** Models that name what they are shown: images, texts, actions, poses, persons, and the features for it. */
export const recognition: readonly ModelData[] = [
  {
    id: 'classification_pyt',
    gpus: [1, 2],
    actions: {
      train: [...classes('train', 'val'), BACKBONE, PRETRAINED, RESUME],
      distill: [...classes('train', 'val'), 'file distill.pretrained_teacher_model_path'],
      quantize: [...classes('train', 'val', 'quant_calibration'), QUANTIZE],
      evaluate: [...classes('val', 'test'), EVALUATE],
      export: EXPORT,
      inference: [...classes('val', 'test'), INFERENCE],
      gen_trt_engine: ENGINE,
    },
  },
  {
    id: 'action_recognition',
    gpus: [1, 2],
    actions: {
      train: [
        'folder dataset.train_dataset_dir',
        'folder dataset.val_dataset_dir',
        'file? model.of_pretrained_model_path',
        'file? model.rgb_pretrained_model_path',
        RESUME,
      ],
      evaluate: ['folder evaluate.test_dataset_dir', EVALUATE, 'file? evaluate.trt_engine'],
      export: EXPORT,
      inference: ['folder inference.inference_dataset_dir', INFERENCE, 'file? inference.trt_engine'],
    },
  },
  {
    id: 'pose_classification',
    gpus: [1, 1],
    actions: {
      dataset_convert: ['file dataset_convert.data'],
      train: [
        ...labelled('dataset.train'),
        ...labelled('dataset.val'),
        'file? model.pretrained_model_path',
        RESUME,
      ],
      evaluate: [...labelled('evaluate.test'), EVALUATE],
      export: EXPORT,
      inference: ['file inference.test_dataset.data_path', INFERENCE],
    },
  },
  {
    id: 're_identification',
    gpus: [1, 2],
    actions: {
      train: [
        'folder dataset.train_dataset_dir',
        'folder dataset.test_dataset_dir',
        'folder dataset.query_dataset_dir',
        'file? model.pretrained_model_path',
        RESUME,
      ],
      evaluate: ['folder evaluate.test_dataset', 'folder evaluate.query_dataset', EVALUATE],
      export: ['file export.checkpoint'],
      inference: ['folder inference.test_dataset', 'folder inference.query_dataset', INFERENCE],
    },
  },
  {
    id: 'ml_recog',
    gpus: [1, 2],
    actions: {
      train: [
        'folder dataset.train_dataset',
        ...references(),
        'file? model.pretrained_model_path',
        'file? model.pretrained_trunk_path',
        'file? model.pretrained_embedder_path',
        RESUME,
      ],
      evaluate: [EVALUATE, ...references()],
      export: EXPORT,
      inference: [INFERENCE, 'folder dataset.val_dataset.reference', 'folder inference.input_path'],
    },
  },
  {
    id: 'optical_inspection',
    gpus: [1, 1],
    actions: {
      train: [...inspected('train'), ...inspected('validation'), ...inspected('test'), PRETRAINED, RESUME],
      evaluate: [...inspected('test'), EVALUATE, 'file? evaluate.trt_engine'],
      export: EXPORT,
      inference: [...inspected('infer'), INFERENCE, 'file? inference.trt_engine'],
    },
  },
  {
    id: 'ocdnet',
    gpus: [1, 1],
    actions: {
      train: [...texts(), 'file? model.pretrained_model_path', RESUME],
      quantize: [...texts(), 'folder dataset.quant_calibration_dataset.images_dir', QUANTIZE],
      evaluate: ['folder dataset.validate_dataset.data_path', EVALUATE],
      export: EXPORT,
      prune: ['folder dataset.validate_dataset.data_path', 'file prune.checkpoint'],
      retrain: { files: [...texts(), 'file model.pruned_graph_path'], command: 'ocdnet train' },
      inference: ['folder inference.input_folder', INFERENCE],
    },
  },
  {
    id: 'ocrnet',
    gpus: [1, 1],
    actions: {
      dataset_convert: ['folder dataset_convert.input_img_dir', 'file dataset_convert.gt_file'],
      train: [...characters(), PRETRAINED, RESUME],
      quantize: [...characters(), 'folder dataset.quant_calibration_dataset.images_dir', QUANTIZE],
      evaluate: [
        CHARACTERS,
        'folder evaluate.test_dataset_dir',
        'file? evaluate.test_dataset_gt_file',
        EVALUATE,
        'file? evaluate.trt_engine',
      ],
      export: [CHARACTERS, ...EXPORT],
      prune: [CHARACTERS, 'file prune.checkpoint', '> file prune.pruned_file'],
      retrain: { files: [...characters(), 'file model.pruned_graph_path'], command: 'ocrnet train' },
      inference: [
        CHARACTERS,
        'folder inference.inference_dataset_dir',
        INFERENCE,
        'file? inference.trt_engine',
      ],
    },
  },
  {
    id: 'mae',
    gpus: [2, 8],
    actions: {
      train: ['folder dataset.train_data_sources', 'folder dataset.val_data_sources', PRETRAINED, RESUME],
      evaluate: [EVALUATE, 'folder dataset.val_data_sources'],
      export: EXPORT,
      inference: [INFERENCE, 'folder dataset.test_data_sources'],
    },
  },
  {
    id: 'nvdinov2',
    gpus: [4, 8],
    actions: {
      train: ['folder dataset.train_dataset.images_dir', PRETRAINED, RESUME],
      export: EXPORT,
      inference: [INFERENCE, 'folder dataset.test_dataset.images_dir'],
    },
  },
  {
    id: 'dinov3',
    actions: {
      train: ['folder dataset.train_dataset.images_dir', PRETRAINED, RESUME],
      export: EXPORT,
      inference: [INFERENCE, 'folder dataset.test_dataset.images_dir'],
      convert: ['file convert.checkpoint', '> file convert.output_path'],
    },
  },
  {
    id: 'clip',
    actions: {
      train: [...captioned('train', '?'), ...captioned('val', '?'), PRETRAINED, RESUME],
      evaluate: [...captioned('val'), 'file? evaluate.checkpoint', 'file? evaluate.trt_engine'],
      inference: [
        'folder? inference.datasets.0.image_dir',
        'file? inference.text_file',
        'file? inference.checkpoint',
        'file? inference.trt_engine',
      ],
      export: ['file? export.checkpoint'],
      gen_trt_engine: ENGINE,
    },
  },
  {
    id: 'video_clip',
    arch: 'video-clip',
    image: 'tao_toolkit.video_clip',
    actions: {
      train: [
        'file model.text_encoder',
        'file dataset.train.video_text.metadata',
        'file dataset.val.video_text.metadata',
        RESUME,
      ],
      evaluate: [EVALUATE, 'file dataset.val.video_text.metadata'],
      inference: [
        INFERENCE,
        'file? inference.query.text_file',
        'file? dataset.inference.video_text.metadata',
      ],
      export: EXPORT,
      gen_trt_engine: ENGINE,
    },
  },
];

function classes(...parts: readonly string[]): readonly string[] {
  return ['file dataset.classes_file', ...parts.map((part) => `folder dataset.${part}_dataset.images_dir`)];
}

function labelled(part: string): readonly string[] {
  return [`file ${part}_dataset.data_path`, `file ${part}_dataset.label_path`];
}

function references(): readonly string[] {
  return ['folder dataset.val_dataset.reference', 'folder dataset.val_dataset.query'];
}

function inspected(part: string): readonly string[] {
  return [`folder dataset.${part}_dataset.images_dir`, `file dataset.${part}_dataset.csv_path`];
}

function texts(): readonly string[] {
  return ['folder dataset.train_dataset.data_path', 'folder dataset.validate_dataset.data_path'];
}

function characters(): readonly string[] {
  return [
    'folder dataset.train_dataset_dir',
    'file? dataset.train_gt_file',
    'folder dataset.val_dataset_dir',
    'file? dataset.val_gt_file',
    CHARACTERS,
  ];
}

function captioned(part: string, optional = ''): readonly string[] {
  return ['image_dir', 'caption_dir'].map((key) => `folder${optional} dataset.${part}.datasets.0.${key}`);
}
