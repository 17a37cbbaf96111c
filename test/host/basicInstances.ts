import type { Sim } from '../brev-sim/sim.ts';

/** Puts the two instances into a cloud that the tests of a window find there: one running, one stopped. */
export async function addBasicInstances(sim: Sim): Promise<void> {
  await sim.addInstance({ name: 'train-l40s', type: 'g6e.xlarge', status: 'RUNNING' });
  await sim.addInstance({ name: 'spare-a100', type: 'a2-highgpu-1g:nvidia-tesla-a100:1', status: 'STOPPED' });
}
