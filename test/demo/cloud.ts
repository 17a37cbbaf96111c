import { existsSync, mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSim, type Sim } from '../brev-sim/sim.ts';

/** How many of the cloud's and the machines' seconds pass in one of ours. */
export interface CloudSpeed {
  readonly cloud: number;
  readonly machines: number;
}

/** Makes the cloud of the demo: an account with instances in the states that a person meets. */
export async function demoCloud(root: string, speed: CloudSpeed): Promise<Sim> {
  const sim = await createSim({ root, speed: speed.cloud, machineSpeed: speed.machines });
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
  return furnished(sim);
}

// Each machine, also one that is created later, gets the project's data (else: an upload first) and may pull TAO images.
function furnished(sim: Sim): Sim {
  const machines = path.join(sim.root, 'machines');
  const furnishAll = () => {
    for (const id of readdirSync(machines)) furnish(path.join(machines, id));
  };
  const watcher = watch(machines, furnishAll);
  furnishAll();
  return {
    ...sim,
    dispose: async () => {
      watcher.close();
      await sim.dispose();
    },
  };
}

function furnish(machine: string): void {
  if (!existsSync(machine)) return;
  for (const name of ['road-scenes', 'vehicle-crops']) {
    mkdirSync(path.join(machine, 'home/data', name), { recursive: true });
  }
  writeFileSync(
    path.join(machine, 'registry.json'),
    JSON.stringify({ public: ['nvcr.io/nvidia/tao'], pullSeconds: 4 }),
  );
}
