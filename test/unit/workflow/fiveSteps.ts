import path from 'node:path';
import type { Plan } from '../../../src/workflow/plan.ts';
import type { CloudWorld } from './cloudWorld.ts';
import { planOf } from './plans.ts';

export const STEPS = ['prepare', 'merge', 'train', 'evaluate', 'report'] as const;

/** The spec of evaluate. */
export const SPEC =
  'results_dir: /results\nsim:\n  steps: 2\n  epoch_seconds: 0.1\ntrain:\n  num_epochs: 1\n';

/**
 * Over all platforms: a new machine for two steps, two nodes on Lepton, the SDK on a machine that is there. Each program
 * notes outside all of it that it ran; that of evaluate is docker, which the machine notes.
 */
export function fiveSteps({ folder, results }: Pick<CloudWorld, 'folder' | 'results'>): Promise<Plan> {
  const noted = (step: string): string => `echo ran >>${path.join(folder, 'runs', step)}`;
  return planOf({
    name: 'five',
    results,
    steps: [
      {
        name: 'prepare',
        platform: 'brev',
        gpus: 0,
        inputs: { '/data/raw/': 's3://bkt/raw/' },
        command: `${noted('prepare')}; cat "$HOME"/data/raw/a.txt >"$RESULTS_DIR"/prepared.txt`,
        env: ['PATH'],
        timeout: '1h',
      },
      {
        name: 'merge',
        platform: 'brev',
        gpus: 0,
        instance: { of: 'prepare' },
        inputs: { '/data/prepared': 'prepare' },
        command: `${noted('merge')}; (cat "$HOME"/data/prepared/prepared.txt; echo merged) >"$RESULTS_DIR"/merged.txt`,
        env: ['PATH'],
      },
      {
        name: 'train',
        platform: 'lepton',
        image: 'alpine',
        nodes: 2,
        shape: 'gpu.8xh100-80gb',
        inputs: { [path.join(folder, 'lepton/in')]: 'merge' },
        outputs: { [path.join(folder, 'lepton/out/')]: `${results}/train/` },
        command: `${noted('train-"$NODE_RANK"')}; echo "node $NODE_RANK of $NNODES"
[ "$NODE_RANK" != 0 ] || (cat ${folder}/lepton/in/merged.txt; echo "trained on $NNODES nodes") >"$RESULTS_DIR"/model.txt`,
        env: ['PATH'],
      },
      {
        name: 'evaluate',
        platform: 'brev-sdk',
        skill: 'segformer',
        spec: 'evaluate.yaml',
        image: 'me/tao-toolkit:7.1.0-pyt',
        gpus: 1,
        instance: 'gpu1',
        needs: 'train',
      },
      {
        name: 'report',
        platform: 'brev',
        instance: 'gpu1',
        inputs: { '/data/model': 'train', '/data/evaluation': 'evaluate' },
        command: `${noted('report')}; (cat "$HOME"/data/model/model.txt; ls "$HOME"/data/evaluation | wc -l) >"$RESULTS_DIR"/report.txt`,
        env: ['PATH'],
      },
    ],
  });
}
