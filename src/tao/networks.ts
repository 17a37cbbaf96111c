/**
 * The networks that TAO Toolkit 7.1 trains, by the name of their command, and what each can do
 * (tao.md part 2, Models). A name that isn't here may still be run: the user types it.
 */
const COMMON = ['train', 'evaluate', 'inference', 'export'] as const;

export const networks: Readonly<Record<string, readonly string[]>> = {
  action_recognition: COMMON,
  bevfusion: ['train', 'evaluate', 'inference', 'dataset_convert'],
  centerpose: COMMON,
  classification_pyt: [...COMMON, 'distill', 'quantize'],
  clip: COMMON,
  codetr: COMMON,
  deformable_detr: COMMON,
  depth_net_mono: COMMON,
  depth_net_stereo: COMMON,
  dino: [...COMMON, 'distill', 'quantize'],
  dinov3: ['train', 'export', 'inference', 'convert'],
  grounding_dino: COMMON,
  mae: COMMON,
  mal: COMMON,
  mask2former: COMMON,
  mask_grounding_dino: COMMON,
  ml_recog: COMMON,
  nvdinov2: COMMON,
  nvpanoptix3d: COMMON,
  ocdnet: [...COMMON, 'prune', 'retrain'],
  ocrnet: [...COMMON, 'dataset_convert', 'prune', 'retrain'],
  oneformer: COMMON,
  optical_inspection: COMMON,
  pointpillars: [...COMMON, 'dataset_convert', 'prune', 'retrain'],
  pose_classification: COMMON,
  re_identification: COMMON,
  rtdetr: [...COMMON, 'distill', 'quantize'],
  segformer: COMMON,
  sparse4d: COMMON,
  visual_changenet: [...COMMON, 'quantize'],
};

/** The actions of a network; the common ones for a name that isn't known. */
export function actionsOf(network: string): readonly string[] {
  // the user may type anything, `constructor` too
  return Object.hasOwn(networks, network) ? (networks[network] ?? COMMON) : COMMON;
}
