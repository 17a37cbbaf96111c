/** What is particular to one TAO network. */
export interface Network {
  /** As in `Starting Segformer train.` */
  title: string;
  /** The stem of its `<stem>_latest.pth` link (contract part 3). */
  checkpoint: string;
  /** Its validation figure in bars and kpi, or '' for none. */
  metric: string;
  /** Launched through torchrun by the entrypoint (contract part 3). */
  torchrun: boolean;
}

function network(title: string, checkpoint: string, metric = '', torchrun = false): Network {
  return { title, checkpoint, metric, torchrun };
}

/** The PyTorch networks of the TAO image, by the command that runs them. */
export const NETWORKS = new Map<string, Network>([
  ['action_recognition', network('Action recognition', 'ar_model', 'val_acc')],
  ['bevfusion', network('BEVFusion', 'bevfusion_model', 'val_mAP', true)],
  ['centerpose', network('CenterPose', 'centerpose_model')],
  ['classification_pyt', network('Classification', 'classifier_model', 'val_acc')],
  ['clip', network('CLIP', 'clip_model', 'val_acc')],
  ['codetr', network('Co-DETR', 'codetr_model', 'val_mAP')],
  ['deformable_detr', network('Deformable DETR', 'dd_model', 'val_mAP')],
  ['depth_net', network('DepthNet', 'dn_model')],
  ['dino', network('DINO', 'dino_model', 'val_mAP')],
  ['dinov3', network('DINOv3', 'dinov3_model')],
  ['grounding_dino', network('Grounding DINO', 'gdino_model', 'val_mAP')],
  ['mae', network('MAE', 'mae_model')],
  ['mal', network('MAL', 'mal_model', 'val_miou')],
  ['mask2former', network('Mask2former', 'mask2former_model', 'val_mAP')],
  ['mask_grounding_dino', network('Mask Grounding DINO', 'mask_gdino_model', 'val_mAP')],
  ['ml_recog', network('Metric Learning', 'ml_model', 'val_acc')],
  ['nvdinov2', network('NVDINOv2', 'nvdinov2_model')],
  ['nvpanoptix3d', network('NVPanoptix3D', 'nvpanoptix3d_model', 'val_mAP')],
  ['ocdnet', network('OCDNet', 'ocd_model', 'val_acc')],
  ['ocrnet', network('OCRNet', 'ocr_model', 'val_acc')],
  ['oneformer', network('OneFormer', 'oneformer_model', 'val_miou')],
  ['optical_inspection', network('Optical Inspection', 'oi_model', 'val_acc')],
  ['pointpillars', network('PointPillars', 'pointpillars_model', 'val_mAP', true)],
  ['pose_classification', network('Pose classification', 'pc_model', 'val_acc')],
  ['re_identification', network('Re-identification', 'reid_model', 'val_acc')],
  ['rtdetr', network('RT-DETR', 'rtdetr_model', 'val_mAP', true)],
  ['segformer', network('Segformer', 'segformer_model', 'val_miou')],
  ['sparse4d', network('Sparse4D', 'sparse4d_model', 'val_mAP')],
  ['video_clip', network('Video CLIP', 'video_clip_model', 'val_acc')],
  ['visual_changenet', network('Visual ChangeNet', 'changenet_model_classify', 'val_acc')],
]);
