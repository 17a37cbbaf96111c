import { createSim, type Sim } from '../brev-sim/sim.ts';

/** The simulated cloud of the demo: an account with instances in the states that a person meets. */
export async function demoCloud(root: string, speed: number): Promise<Sim> {
  const sim = await createSim({ root, speed, machineSpeed: 1 });
  const hours = (count: number) => Date.now() - count * 3_600_000;
  await sim.addInstance({
    name: 'seg-train-l40s',
    type: 'massedcompute_L40S',
    status: 'RUNNING',
    createdAt: hours(5),
  });
  await sim.addInstance({
    name: 'vehicles-a100',
    type: 'a2-highgpu-1g:nvidia-tesla-a100:1',
    status: 'STOPPED',
    createdAt: hours(96),
  });
  await sim.addInstance({
    name: 'big-h100',
    type: 'gpu-h100-sxm.8gpu-128vcpu-1600gb',
  });
  // Long enough under way for a person to see it, then ready like any other.
  await sim.update('big-h100', { motion: { kind: 'deploy', since: Date.now() + 30_000, outcome: 'ok' } });
  await sim.addInstance({
    name: 'old-t4',
    type: 'g4dn.xlarge',
    status: 'RUNNING',
    healthStatus: 'UNHEALTHY',
    createdAt: hours(300),
  });
  await sim.addInstance({
    name: 'data-prep-cpu',
    type: 'n2d-standard-8',
    status: 'RUNNING',
    createdAt: hours(2),
  });
  return sim;
}
