/** What gives a model away: a key that its specs have, or the value of one. */
export interface Sign {
  /** Dotted, without the indexes of lists. */
  readonly key: string;
  readonly value?: RegExp;
  /** 10 says it alone; less needs company. */
  readonly weight: number;
}

const key = (weight: number, ...keys: readonly string[]): readonly Sign[] =>
  keys.map((each) => ({ key: each, weight }));
const value = (weight: number, name: string, pattern: RegExp): Sign => ({
  key: name,
  value: pattern,
  weight,
});

const DETR = key(
  1,
  'dataset.train_data_sources',
  'dataset.val_data_sources',
  'dataset.test_data_sources',
  'model.num_queries',
);
const GROUNDED = [
  ...key(
    5,
    'model.text_encoder_type',
    'model.max_text_len',
    'dataset.max_labels',
    'dataset.infer_data_sources.captions',
  ),
  ...key(4, 'dataset.train_data_sources.label_map'),
  value(2, 'train.freeze', /^bert$/),
  value(2, 'model.num_queries', /^900$/),
];
const SELF_SUPERVISED = key(
  4,
  'model.backbone.teacher_type',
  'model.backbone.student_type',
  'train.num_prototypes',
);

/** By model. From the specs that TAO's own repositories carry for each. */
export const SIGNATURES: Readonly<Record<string, readonly Sign[]>> = {
  action_recognition: [
    value(10, 'model.model_type', /^(?:rgb|of|joint)$/),
    ...key(6, 'model.rgb_seq_length', 'model.of_seq_length', 'model.rgb_pretrained_model_path'),
    ...key(3, 'dataset.output_shape', 'evaluate.test_dataset_dir', 'inference.inference_dataset_dir'),
  ],
  bevfusion: [
    value(10, 'model.type', /^BEVFusion$/),
    ...key(5, 'dataset.default_cam_key', 'dataset.gt_box_type', 'model.data_preprocessor.voxelize_cfg'),
  ],
  centerpose: [
    ...key(5, 'dataset.num_symmetry', 'dataset.max_objs', 'model.down_ratio'),
    ...key(2, 'dataset.category', 'dataset.train_data', 'dataset.val_data', 'dataset.inference_data'),
  ],
  classification_pyt: [
    value(10, 'dataset.dataset', /^CLDataset$/),
    value(6, 'model.head.type', /LinearHead|LogisticRegressionHead/),
    ...key(5, 'dataset.classes_file', 'model.head.topk', 'dataset.train_dataset.classes'),
    ...key(
      1,
      'dataset.train_dataset.images_dir',
      'dataset.val_dataset.images_dir',
      'dataset.test_dataset.images_dir',
    ),
  ],
  clip: [
    value(7, 'model.type', /siglip|radio|clip/i),
    value(5, 'train.loss_type', /^(?:siglip|clip)$/),
    ...key(5, 'dataset.train.datasets.caption_dir', 'dataset.train.wds'),
    ...key(2, 'train.optim.vision_lr', 'train.optim.text_lr', 'dataset.val.datasets'),
  ],
  video_clip: [
    value(10, 'model.type', /internvideo/i),
    ...key(10, 'dataset.train.video_text', 'dataset.val.video_text', 'dataset.inference.video_text'),
    ...key(2, 'train.optim.vision_lr', 'train.optim.text_lr'),
  ],
  deformable_detr: [...DETR, ...key(5, 'model.with_box_refine'), value(2, 'model.num_feature_levels', /^2$/)],
  dino: [
    ...DETR,
    ...key(4, 'model.two_stage_type', 'model.use_dn', 'model.dn_number', 'model.num_patterns'),
    ...key(2, 'model.num_select'),
    value(2, 'model.num_feature_levels', /^4$/),
    value(1, 'model.enc_layers', /^6$/),
  ],
  rtdetr: [
    ...DETR,
    value(6, 'model.enc_layers', /^1$/),
    ...key(
      4,
      'model.use_encoder_idx',
      'model.feat_channels',
      'model.eval_spatial_size',
      'model.num_denoising',
    ),
    ...key(3, 'train.enable_ema', 'dataset.remap_mscoco_category'),
  ],
  grounding_dino: [...DETR, ...GROUNDED, value(-9, 'model.has_mask', /^true$/)],
  mask_grounding_dino: [
    ...DETR,
    ...GROUNDED,
    value(9, 'model.has_mask', /^true$/),
    ...key(9, 'model.num_region_queries', 'model.loss_types.masks', 'model.rela_nt_bias'),
    // without a word of masks it is the other one
    { key: 'model', weight: -1 },
  ],
  depth_net_mono: [
    value(10, 'model.model_type', /^(?:Metric|Relative)DepthAnything/),
    value(8, 'dataset.dataset_name', /Mono/),
    ...key(8, 'model.mono_backbone'),
  ],
  depth_net_stereo: [
    value(10, 'model.model_type', /FoundationStereo/),
    value(8, 'dataset.dataset_name', /Stereo/),
    ...key(8, 'model.stereo_backbone'),
  ],
  dinov3: [
    ...SELF_SUPERVISED,
    ...key(
      9,
      'model.centering_method',
      'model.gram',
      'model.backbone.rope_theta',
      'model.backbone.num_register_tokens',
    ),
  ],
  nvdinov2: [
    ...SELF_SUPERVISED,
    ...key(2, 'model.distill.enable'),
    value(3, 'model.backbone.patch_size', /^14$/),
  ],
  mae: [
    value(7, 'train.stage', /^(?:pretrain|finetune)$/),
    value(6, 'model.arch', /^(?:convnextv2|hiera|vit_)/),
    value(2, 'dataset.train_data_sources', /^/),
  ],
  mal: [
    ...key(5, 'dataset.train_ann_path', 'dataset.train_img_dir', 'inference.label_dump_path'),
    ...key(3, 'dataset.val_ann_path', 'dataset.val_img_dir', 'dataset.crop_size'),
    value(5, 'model.arch', /^vit-mae/),
  ],
  mask2former: [
    ...key(7, 'model.mask_former'),
    ...key(
      3,
      'model.sem_seg_head',
      'dataset.train.panoptic_json',
      'dataset.train.instance_json',
      'dataset.contiguous_id',
    ),
    value(4, 'model.mode', /^(?:panoptic|instance|semantic)$/),
  ],
  oneformer: [
    ...key(10, 'model.one_former'),
    ...key(
      3,
      'dataset.train.panoptic',
      'dataset.train.annotations',
      'train.iters_per_epoch',
      'model.sem_seg_head',
    ),
  ],
  nvpanoptix3d: [
    ...key(7, 'dataset.frustum_mask_path', 'dataset.enable_3d', 'train.checkpoint_2d', 'train.checkpoint_3d'),
    ...key(2, 'model.mask_former', 'model.sem_seg_head'),
  ],
  ml_recog: [
    ...key(7, 'train.optim.trunk', 'train.optim.embedder'),
    ...key(4, 'dataset.val_dataset.reference', 'dataset.val_dataset.query', 'model.pretrain_choice'),
  ],
  ocdnet: [
    ...key(5, 'dataset.validate_dataset', 'model.load_pruned_graph', 'train.post_processing'),
    value(5, 'train.post_processing.type', /SegDetector/),
    ...key(4, 'dataset.train_dataset.args.pre_processes', 'inference.input_folder'),
  ],
  ocrnet: [
    ...key(8, 'dataset.character_list_file'),
    value(5, 'model.prediction', /^(?:CTC|Attn)$/),
    ...key(4, 'model.TPS', 'model.sequence', 'dataset.max_label_length'),
  ],
  optical_inspection: [
    value(10, 'model.model_type', /^Siamese/),
    ...key(5, 'model.model_backbone', 'model.embedding_vectors', 'dataset.fpratio_sampling'),
    ...key(2, 'dataset.input_map', 'dataset.concat_type', 'dataset.train_dataset.csv_path'),
  ],
  pointpillars: [
    value(10, 'model.name', /^PointPillar/),
    ...key(
      6,
      'model.vfe',
      'dataset.point_feature_encoding',
      'dataset.data_augmentor',
      'dataset.data_info_path',
    ),
  ],
  pose_classification: [
    value(10, 'model.model_type', /^ST-GCN$/),
    ...key(7, 'model.graph_layout', 'model.graph_strategy', 'dataset_convert.pose_type'),
    ...key(1, 'dataset.train_dataset.label_path'),
  ],
  re_identification: [
    ...key(6, 're_ranking', 'dataset.query_dataset_dir', 'model.with_center_loss'),
    ...key(3, 'model.neck', 'model.metric_loss_type', 'evaluate.query_dataset', 'model.last_stride'),
  ],
  segformer: [
    value(10, 'dataset.segment.dataset', /^SFDataset$/),
    ...key(5, 'model.decode_head'),
    ...key(4, 'dataset.segment'),
    { key: 'task', weight: -8 },
  ],
  sparse4d: [
    value(10, 'model.type', /^sparse4d$/),
    ...key(8, 'model.head.instance_bank', 'model.depth_branch'),
    ...key(4, 'dataset.num_bev_groups', 'aicity'),
  ],
  visual_changenet: [
    value(9, 'task', /^(?:classify|segment)$/),
    value(10, 'dataset.segment.dataset', /^CNDataset$/),
    ...key(
      9,
      'dataset.classify',
      'model.classify',
      'train.classify',
      'dataset.segment.change_image_folder_name',
    ),
    ...key(2, 'dataset.segment'),
  ],
};
