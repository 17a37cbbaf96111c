import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSim } from '../brev-sim/sim.ts';
import { repositoryRoot } from '../support/paths.ts';
import { addBasicInstances } from './basicInstances.ts';

/** What a suite's VS Code runs with. */
export interface HostEnvironment {
  readonly env: Record<string, string>;
  readonly settings: Record<string, unknown>;
  readonly folder: string;
  dispose(): Promise<void>;
}

/**
 * Prepares the surroundings of one suite: a simulated cloud of its own with a running and a stopped instance, and a copy of
 * the demo's project. Tests in the window open the cloud with `createSim({ root: process.env.BREV_SIM_ROOT })`.
 */
export async function prepare(suite: string): Promise<HostEnvironment> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), `brev-env-${suite}-`)));
  const folder = path.join(root, 'road-scenes');
  await cp(path.join(repositoryRoot, 'test/demo/project'), folder, { recursive: true });
  const sim = await createSim({ root: path.join(root, 'cloud'), speed: 50, machineSpeed: 20 });
  await addBasicInstances(sim);
  return {
    env: sim.env,
    settings: {
      'brev.refresh.transitionSeconds': 1,
      'brev.ready.probeIntervalSeconds': 1,
      // Its fresh list would come in the middle of any test that lets time pass.
      'brev.idleReminderMinutes': 0,
      // Tests that look at the window don't wait for its animations.
      'workbench.reduceMotion': 'on',
      'workbench.hover.delay': 0,
      // Servers of the tests are nobody's business in the window.
      'remote.autoForwardPorts': false,
    },
    folder,
    dispose: async () => {
      await sim.dispose();
      await rm(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
