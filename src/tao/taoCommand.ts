import { runWords } from './catalogue/runWords.ts';
import type { RunSpec } from './runSpec.ts';
import { sectionOf } from './spec/specView.ts';

/**
 * The command that a run is in its container. TAO itself starts its processes, by torchrun where a network needs it, as
 * many as the spec's num_gpus says; a number of GPUs that the user has chosen goes before the spec's (tao.md part 3).
 */
export function taoCommand(run: RunSpec, specPath: string): readonly string[] {
  return [...runWords(run.network, run.action), '-e', specPath, ...gpuOverrides(run)];
}

function gpuOverrides({ action, gpus, specFile }: RunSpec): readonly string[] {
  // others have no such key, or use one GPU
  if (gpus === 'all' || sectionOf(action) !== 'train') {
    return [];
  }
  const ids = Array.from({ length: gpus }, (_, index) => index).join(',');
  // a list in the spec that is of another length would count, too
  const hasIds = /^[ \t]+["']?gpu_ids["']?[ \t]*:/m.test(new TextDecoder().decode(specFile.content));
  return [`train.num_gpus=${gpus}`, ...(hasIds ? [`train.gpu_ids=[${ids}]`] : [])];
}
