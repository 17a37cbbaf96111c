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

const SEGMENTS = 'folder dataset.segment.root_dir';
const BACKBONE = 'file? model.backbone.pretrained_backbone_path';

/** Models that say something of every pixel: classes, changes, masks, depth. */
export const pixels: readonly ModelData[] = [
  {
    id: 'segformer',
    gpus: [1, 2],
    actions: {
      train: [SEGMENTS, BACKBONE, PRETRAINED, RESUME, '> file export.onnx_file'],
      quantize: [SEGMENTS, 'folder dataset.segment.quant_calibration_dataset.images_dir', QUANTIZE],
      evaluate: [SEGMENTS, EVALUATE],
      export: [SEGMENTS, 'file export.checkpoint'],
      inference: [SEGMENTS, INFERENCE],
    },
  },
  {
    id: 'visual_changenet',
    arch: 'visual-changenet',
    gpus: [1, 8],
    minVramGb: 16,
    actions: {
      train: [BACKBONE, RESUME, ...compared('train'), ...compared('validation')],
      evaluate: [BACKBONE, ...compared('validation'), ...compared('test'), EVALUATE],
      inference: [BACKBONE, ...compared('infer'), INFERENCE],
      export: [BACKBONE, ...EXPORT],
      quantize: [BACKBONE, QUANTIZE, ...compared('train', '?'), ...compared('validation', '?')],
      segment_train: { files: [BACKBONE, SEGMENTS, RESUME], command: 'visual_changenet train' },
      segment_evaluate: { files: [SEGMENTS, EVALUATE], command: 'visual_changenet evaluate' },
      segment_inference: { files: [SEGMENTS, INFERENCE], command: 'visual_changenet inference' },
    },
  },
  {
    id: 'mask2former',
    gpus: [1, 4],
    actions: {
      train: [...panoptic(), 'file? model.backbone.pretrained_weights', PRETRAINED, RESUME],
      quantize: [QUANTIZE, ...panoptic(), 'folder dataset.quant_calibration_dataset.images_dir'],
      evaluate: [EVALUATE, ...panoptic()],
      export: EXPORT,
      inference: [INFERENCE, ...panoptic()],
    },
  },
  {
    id: 'oneformer',
    gpus: [2, 4],
    actions: {
      train: [...annotated(), 'file? train.pretrained_backbone', 'file? train.pretrained_model', RESUME],
      quantize: [...annotated(), 'folder dataset.quant_calibration_dataset.images_dir', QUANTIZE],
      evaluate: [
        ...annotated(),
        'file dataset.test.annotations',
        'folder dataset.test.panoptic',
        EVALUATE,
        'file? evaluate.trt_engine',
      ],
      export: ['file export.checkpoint'],
      inference: [...annotated(), 'folder inference.images_dir', INFERENCE, 'file? inference.trt_engine'],
    },
  },
  {
    id: 'nvpanoptix3d',
    gpus: [2, 4],
    actions: {
      train: {
        files: [
          ...scenes('train', 'val', 'test'),
          'file? train.checkpoint_2d',
          'file? train.checkpoint_3d',
          RESUME,
        ],
        command: panoptix('train'),
      },
      evaluate: { files: [...scenes('val', 'test'), EVALUATE], command: panoptix('evaluate') },
      export: {
        files: ['file export.checkpoint', '> file export.onnx_file_2d'],
        command: panoptix('export'),
      },
      inference: {
        files: [...scenes(), INFERENCE, 'folder inference.images_dir'],
        command: panoptix('inference'),
      },
    },
  },
  {
    id: 'mal',
    gpus: [1, 2],
    actions: {
      train: [
        'folder dataset.train_img_dir',
        'file dataset.train_ann_path',
        'folder dataset.val_img_dir',
        'file dataset.val_ann_path',
        PRETRAINED,
        RESUME,
      ],
      evaluate: [EVALUATE, 'folder dataset.val_img_dir', 'file dataset.val_ann_path'],
      inference: [
        INFERENCE,
        'folder inference.img_dir',
        'file inference.ann_path',
        '> file inference.label_dump_path',
      ],
    },
  },
  {
    id: 'depth_net_mono',
    network: 'depth_net',
    gpus: [1, 2],
    actions: {
      train: [
        ...depths('train'),
        ...depths('val'),
        'file? model.mono_backbone.pretrained_path',
        PRETRAINED,
        RESUME,
      ],
      quantize: [
        QUANTIZE,
        ...depths('train'),
        ...depths('val'),
        'folder dataset.quant_calibration_dataset.images_dir',
      ],
      evaluate: [...depths('test'), 'file? evaluate.checkpoint', 'file? evaluate.trt_engine'],
      export: EXPORT,
      inference: [...depths('infer'), 'file? inference.checkpoint', 'file? inference.trt_engine'],
      gen_trt_engine: ENGINE,
    },
  },
  {
    id: 'depth_net_stereo',
    network: 'depth_net',
    actions: {
      train: [
        ...depths('train'),
        ...depths('val'),
        'file? model.stereo_backbone.depth_anything_v2_pretrained_path',
        'file? model.stereo_backbone.edgenext_pretrained_path',
        PRETRAINED,
        RESUME,
      ],
      quantize: [
        QUANTIZE,
        ...depths('train'),
        ...depths('val'),
        'folder dataset.quant_calibration_dataset.images_dir',
      ],
      evaluate: [...depths('test'), EVALUATE],
      export: EXPORT,
      inference: [...depths('infer'), INFERENCE],
    },
  },
];

function compared(part: string, optional = ''): readonly string[] {
  return ['csv_path', 'images_dir'].map((key) => `file${optional} dataset.classify.${part}_dataset.${key}`);
}

function panoptic(): readonly string[] {
  return [
    'file dataset.label_map',
    ...['train', 'val'].flatMap((part) => [
      `folder dataset.${part}.img_dir`,
      `file dataset.${part}.instance_json`,
      `file dataset.${part}.panoptic_json`,
      `folder dataset.${part}.panoptic_dir`,
    ]),
    'folder dataset.test.img_dir',
  ];
}

function annotated(): readonly string[] {
  return [
    'file dataset.label_map',
    ...['train', 'val'].flatMap((part) => [
      `folder dataset.${part}.images`,
      `file dataset.${part}.annotations`,
      `folder dataset.${part}.panoptic`,
    ]),
    'folder dataset.test.images',
  ];
}

function scenes(...parts: readonly string[]): readonly string[] {
  return [
    'file dataset.frustum_mask_path',
    'file dataset.label_map',
    ...parts.flatMap((part) => [`file dataset.${part}.json_path`, `folder dataset.${part}.base_dir`]),
  ];
}

/** It has no command of its own. */
function panoptix(action: string): string {
  return `python -m nvidia_tao_pytorch.cv.nvpanoptix3d.entrypoint.nvpanoptix3d ${action}`;
}

function depths(part: string): readonly string[] {
  return [`file dataset.${part}_dataset.data_sources.0.data_file`];
}
