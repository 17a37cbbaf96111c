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

/** Models that find objects and their parts, in images and in point clouds. */
export const detection: readonly ModelData[] = [
  {
    id: 'dino',
    actions: {
      train: [
        ...listed('train'),
        ...listed('val'),
        'file? model.pretrained_backbone_path',
        PRETRAINED,
        RESUME,
      ],
      distill: [...listed('train'), ...listed('val'), 'file distill.pretrained_teacher_model_path'],
      quantize: [QUANTIZE, ...listed('train'), ...listed('val'), ...single('quant_calibration')],
      evaluate: [EVALUATE, ...single('test')],
      export: EXPORT,
      inference: [INFERENCE, ...inferred()],
    },
  },
  {
    id: 'deformable_detr',
    gpus: [1, 4],
    actions: {
      train: [
        ...listed('train'),
        ...listed('val'),
        'file? model.pretrained_backbone_path',
        PRETRAINED,
        RESUME,
      ],
      quantize: [QUANTIZE, ...listed('train'), ...listed('val'), ...single('quant_calibration')],
      evaluate: [...single('test'), 'file? evaluate.checkpoint', 'file? evaluate.trt_engine'],
      export: EXPORT,
      gen_trt_engine: [...ENGINE, 'folder? gen_trt_engine.tensorrt.calibration.cal_image_dir'],
      inference: [...inferred(), 'file? inference.checkpoint', 'file? inference.trt_engine'],
    },
  },
  {
    id: 'rtdetr',
    gpus: [1, 2],
    actions: {
      train: [
        ...listed('train'),
        ...single('val'),
        'file? model.pretrained_backbone_path',
        PRETRAINED,
        RESUME,
      ],
      distill: [...listed('train'), ...single('val'), 'file distill.pretrained_teacher_model_path'],
      quantize: [QUANTIZE, ...listed('train'), ...single('val'), ...single('quant_calibration')],
      evaluate: [EVALUATE, ...single('test')],
      export: ['file export.checkpoint'],
      inference: [INFERENCE, ...inferred()],
    },
  },
  {
    id: 'grounding_dino',
    gpus: [1, 4],
    actions: {
      train: [...grounded(), 'file? model.pretrained_backbone_path', PRETRAINED, RESUME],
      quantize: [QUANTIZE, ...grounded(), ...single('quant_calibration')],
      evaluate: [EVALUATE, ...single('test')],
      export: EXPORT,
      inference: [
        INFERENCE,
        'folder dataset.infer_data_sources.image_dir',
        'list dataset.infer_data_sources.captions',
      ],
    },
  },
  {
    id: 'mask_grounding_dino',
    gpus: [1, 4],
    actions: {
      train: [...grounded(), 'file? model.pretrained_backbone_path', PRETRAINED, RESUME],
      quantize: [
        QUANTIZE,
        ...grounded(),
        ...single('quant_calibration'),
        'file dataset.quant_calibration_data_sources.label_map',
      ],
      evaluate: [EVALUATE, ...single('test')],
      export: EXPORT,
      inference: [
        INFERENCE,
        'folder dataset.infer_data_sources.image_dir',
        'list dataset.infer_data_sources.captions',
      ],
    },
  },
  // its files stand in no list; what it can do is all that is known
  { id: 'codetr', actions: { train: [], evaluate: [], inference: [], export: [] } },
  {
    id: 'centerpose',
    gpus: [1, 2],
    actions: {
      train: [
        'folder dataset.train_data',
        'folder dataset.val_data',
        'file? model.backbone.pretrained_backbone_path',
        RESUME,
      ],
      evaluate: ['folder dataset.test_data', 'file? evaluate.checkpoint', 'file? evaluate.trt_engine'],
      export: EXPORT,
      inference: [
        'folder dataset.inference_data',
        'file? inference.checkpoint',
        'file? inference.trt_engine',
      ],
      gen_trt_engine: [...ENGINE, 'folder? gen_trt_engine.tensorrt.calibration.cal_image_dir'],
    },
  },
  {
    id: 'pointpillars',
    gpus: [1, 4],
    actions: {
      dataset_convert: ['folder dataset.data_path'],
      train: [...clouds(), 'file? model.pretrained_model_path', RESUME],
      prune: [...clouds(), 'file prune.model'],
      evaluate: [...clouds(), EVALUATE],
      retrain: { files: [...clouds(), 'file train.pruned_model_path'], command: 'pointpillars train' },
      export: [...clouds(), ...EXPORT],
      inference: [...clouds(), INFERENCE, 'file? inference.trt_engine'],
    },
  },
  { id: 'bevfusion', image: null, actions: { dataset_convert: [], train: [], evaluate: [], inference: [] } },
  {
    id: 'sparse4d',
    gpus: [2, 8],
    actions: {
      dataset_convert: {
        files: ['folder aicity.root'],
        command: 'annotations convert',
        image: 'tao_toolkit.data_services',
      },
      train: [...cameras(), PRETRAINED, RESUME],
      quantize: [...cameras(), 'folder dataset.quant_calibration_dataset.images_dir', QUANTIZE],
      evaluate: [...cameras(), EVALUATE],
      export: ['file model.head.instance_bank.anchor', ...EXPORT],
      inference: [...cameras(), INFERENCE],
    },
  },
];

/** Sources in a list, of which one is there for sure. */
function listed(part: string): readonly string[] {
  return [`folder dataset.${part}_data_sources.0.image_dir`, `file dataset.${part}_data_sources.0.json_file`];
}

function single(part: string): readonly string[] {
  return [`folder dataset.${part}_data_sources.image_dir`, `file dataset.${part}_data_sources.json_file`];
}

function inferred(): readonly string[] {
  return ['folder dataset.infer_data_sources.image_dir', 'file dataset.infer_data_sources.classmap'];
}

function grounded(): readonly string[] {
  return [...listed('train'), 'file dataset.train_data_sources.0.label_map', ...single('val')];
}

function clouds(): readonly string[] {
  return ['folder dataset.data_path', 'folder dataset.data_info_path'];
}

function cameras(): readonly string[] {
  return [
    'folder dataset.data_root',
    'file model.head.instance_bank.anchor',
    ...['train', 'val', 'test'].map((part) => `file dataset.${part}_dataset.ann_file`),
  ];
}
