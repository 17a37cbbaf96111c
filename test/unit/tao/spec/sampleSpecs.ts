/** Specs of our own, one for each model, with the keys that such a spec has. */
const TRAIN = 'train:\n  num_gpus: 1\n  num_epochs: 10\n  checkpoint_interval: 1\n  optim: {lr: 0.0001}\n';
const DETECTION = `${TRAIN}dataset:
  train_data_sources:
    - {image_dir: /data/train, json_file: /data/train.json}
  val_data_sources:
    - {image_dir: /data/val, json_file: /data/val.json}
  num_classes: 3
`;
const spec = (rest: string): string => `results_dir: /results\nencryption_key: key\n${rest}`;

export const sampleSpecs: Readonly<Record<string, string>> = {
  action_recognition: spec(
    'model_config: {model_type: rgb, backbone: resnet18, rgb_seq_length: 8}\ntrain_config: {epochs: 3, optim: {lr: 0.1}}\ndataset_config: {train_dataset_dir: /data/a, val_dataset_dir: /data/b, output_shape: [224, 224]}\n',
  ),
  bevfusion: spec(
    `${TRAIN}model: {type: BEVFusion, voxel_size: [1, 1, 1]}\ndataset: {default_cam_key: CAM2, gt_box_type: camera}\n`,
  ),
  centerpose: spec(
    `${TRAIN}model: {down_ratio: 4, backbone: {model_type: fan_small}}\ndataset: {train_data: /data/t, val_data: /data/v, category: bike, num_symmetry: 1, max_objs: 10}\n`,
  ),
  classification_pyt: spec(
    `${TRAIN}model:\n  backbone: {type: fan_tiny}\n  head: {topk: [1, 5]}\ndataset:\n  dataset: CLDataset\n  num_classes: 3\n  train_dataset: {images_dir: /data/train}\n`,
  ),
  clip: spec(
    'model: {type: siglip2-so400m}\ntrain: {num_epochs: 3, loss_type: siglip, optim: {vision_lr: 0.1, text_lr: 0.1}}\ndataset:\n  train:\n    datasets:\n      - {image_dir: /data/i, caption_dir: /data/c}\n',
  ),
  video_clip: spec(
    'model: {type: internvideo2-clip-l14}\ntrain: {num_epochs: 3, num_gpus: 2}\ndataset:\n  train:\n    video_text: &vt {metadata: /data/m.json}\n  val:\n    video_text:\n      <<: *vt\n',
  ),
  deformable_detr: spec(
    `${DETECTION}model: {backbone: resnet_50, num_feature_levels: 2, dec_layers: 6, enc_layers: 6, num_queries: 300, with_box_refine: true}\n`,
  ),
  dino: spec(
    `${DETECTION}model: {backbone: fan_small, num_feature_levels: 4, dec_layers: 6, enc_layers: 6, num_queries: 300, num_select: 100}\n`,
  ),
  rtdetr: spec(
    `${DETECTION}model: {backbone: resnet_50, return_interm_indices: [1, 2, 3], dec_layers: 6, enc_layers: 1, num_queries: 300}\n`,
  ),
  grounding_dino: spec(
    `${TRAIN}dataset:\n  train_data_sources:\n    - {image_dir: /d, json_file: /d.jsonl, label_map: /d.json}\n  val_data_sources: {image_dir: /v, json_file: /v.json}\n  max_labels: 80\nmodel: {backbone: swin_tiny_224_1k, num_queries: 900}\n`,
  ),
  mask_grounding_dino: spec(
    `${TRAIN}dataset:\n  train_data_sources:\n    - {image_dir: /d, json_file: /d.jsonl, label_map: /d.json}\nmodel: {backbone: swin_tiny_224_1k, num_queries: 900, has_mask: true}\n`,
  ),
  depth_net_mono: spec(
    `${TRAIN}model: {model_type: MetricDepthAnything, encoder: vitl}\ndataset: {dataset_name: MonoDataset}\n`,
  ),
  depth_net_stereo: spec(
    `${TRAIN}model: {model_type: FoundationStereo, stereo_backbone: {use_bn: false}}\ndataset: {dataset_name: StereoDataset}\n`,
  ),
  dinov3: spec(
    'model:\n  centering_method: sinkhorn\n  backbone: {teacher_type: vit_b, student_type: vit_b, rope_theta: 100.0}\ntrain: {num_epochs: 3, num_gpus: 1, num_prototypes: 131072}\ndataset: {train_dataset: {images_dir: /data}}\n',
  ),
  nvdinov2: spec(
    'model:\n  distill: {enable: false}\n  backbone: {teacher_type: vit_l, student_type: vit_l, patch_size: 14}\ntrain: {num_epochs: 3, num_gpus: 1, num_prototypes: 131072}\ndataset: {train_dataset: {images_dir: /data}}\n',
  ),
  mae: spec(
    'model: {arch: convnextv2_base}\ntrain: {stage: pretrain, num_epochs: 3, num_gpus: 4}\ndataset: {train_data_sources: /data/train, val_data_sources: /data/val}\n',
  ),
  mal: spec(
    'train: {num_epochs: 1, num_gpus: 1}\ndataset: {train_ann_path: /d/a.json, train_img_dir: /d/i, val_ann_path: /d/v.json, val_img_dir: /d/v}\n',
  ),
  mask2former: spec(
    `${TRAIN}model: {mode: panoptic, mask_former: {num_object_queries: 100}, sem_seg_head: {num_classes: 3}}\ndataset: {contiguous_id: false, train: {panoptic_json: /d/p.json, img_dir: /d}}\n`,
  ),
  oneformer: spec(
    `${TRAIN}model: {one_former: {num_object_queries: 250}, sem_seg_head: {num_classes: 150}}\ndataset: {train: {annotations: /d/a.json, images: /d/i, panoptic: /d/p}}\n`,
  ),
  nvpanoptix3d: spec(
    `${TRAIN}model: {mask_former: {dec_layers: 9}, sem_seg_head: {num_classes: 13}}\ndataset: {frustum_mask_path: /d/f.npz, enable_3d: true, train: {json_path: /d/t.json}}\n`,
  ),
  ml_recog: spec(
    'model: {backbone: resnet_50, pretrain_choice: imagenet, feat_dim: 256}\ntrain: {num_epochs: 3, optim: {trunk: {base_lr: 0.1}, embedder: {base_lr: 0.1}}}\ndataset: {train_dataset: /d/t, val_dataset: {reference: /d/r, query: /d/q}}\n',
  ),
  ocdnet: spec(
    'model: {backbone: deformable_resnet18, load_pruned_graph: false}\ntrain: {num_epochs: 3, num_gpus: 1, post_processing: {type: SegDetectorRepresenter}}\ndataset: {train_dataset: {data_path: [/d/t]}, validate_dataset: {data_path: [/d/v]}}\n',
  ),
  ocrnet: spec(
    `${TRAIN}model: {TPS: false, backbone: ResNet, sequence: BiLSTM, prediction: CTC}\ndataset: {train_dataset_dir: [/d/t], val_dataset_dir: /d/v, character_list_file: /d/c}\n`,
  ),
  optical_inspection: spec(
    `${TRAIN}model: {model_type: Siamese_3, model_backbone: custom, embedding_vectors: 5}\ndataset: {train_dataset: {csv_path: /d/t.csv, images_dir: /d}, fpratio_sampling: 0.1}\n`,
  ),
  pointpillars: spec(
    'model: {name: PointPillar, vfe: {name: PillarVFE}}\ntrain: {num_epochs: 3, num_gpus: 1, lr: 0.1}\ndataset: {data_path: /d, class_names: [Car], point_feature_encoding: {x: 1}}\n',
  ),
  pose_classification: spec(
    `${TRAIN}model: {model_type: ST-GCN, graph_layout: nvidia}\ndataset: {train_dataset: {data_path: /d/t.npy, label_path: /d/t.pkl}}\n`,
  ),
  re_identification: spec(
    `${TRAIN}model: {backbone: resnet_50, neck: bnneck, metric_loss_type: triplet}\ndataset: {train_dataset_dir: /d/t, query_dataset_dir: /d/q}\nre_ranking: {re_ranking: true}\n`,
  ),
  segformer: spec(
    `${TRAIN}model:\n  backbone: {type: fan_tiny_8_p4_hybrid}\n  decode_head: {feature_strides: [4, 8, 16, 32]}\ndataset:\n  segment: {dataset: SFDataset, root_dir: /data, num_classes: 2}\n`,
  ),
  sparse4d: spec(
    `${TRAIN}model: {type: sparse4d, head: {instance_bank: {anchor: /d/a.npy}}}\ndataset: {data_root: /d, num_bev_groups: 1}\n`,
  ),
  visual_changenet: spec(
    `task: classify\n${TRAIN}model: {backbone: {type: fan_small_12_p4_hybrid}, classify: {embed_dec: 30}}\ndataset: {classify: {train_dataset: {csv_path: /d/t.csv, images_dir: /d}}}\n`,
  ),
};
