import type { Sim, SimInstance } from '../brev-sim/sim.ts';

/** An instance of the simulated cloud, with the folder that is its home directory. */
export async function instanceNamed(sim: Sim, name: string): Promise<SimInstance> {
  const found = (await sim.instances()).find((instance) => instance.name === name);
  if (found === undefined) throw new Error(`the cloud has no ${name}`);
  return found;
}
