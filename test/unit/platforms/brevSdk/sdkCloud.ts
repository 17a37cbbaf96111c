import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { cliEnvironment } from '../../../../src/brev/environment.ts';
import { writeBridgeFiles } from '../../../../src/platforms/brevSdk/bridgeFiles.ts';
import { SdkBridge } from '../../../../src/platforms/brevSdk/sdkBridge.ts';
import { createSim, type Sim, type SimOptions } from '../../../brev-sim/sim.ts';
import { taoSdkPython } from '../../../support/taoSdk.ts';

/** A simulated cloud with one machine, and the real SDK on it behind our bridge. */
export interface SdkCloud {
  readonly sim: Sim;
  readonly home: string;
  readonly python: string;
  readonly log: readonly string[];
  /** A bridge on the same state, as after a reload. */
  bridge(): SdkBridge;
  dispose(): Promise<void>;
}

export async function createSdkCloud(options: SimOptions = {}): Promise<SdkCloud> {
  const [sim, python] = await Promise.all([
    createSim({ speed: 100, machineSpeed: 100, ...options }),
    taoSdkPython(),
  ]);
  await sim.addInstance({ name: 'gpu1' });
  const folder = await mkdtemp(path.join(sim.root, 'sdk-'));
  const home = await writeBridgeFiles(folder);
  const stateFolder = path.join(folder, 'state');
  await mkdir(stateFolder, { mode: 0o700 });
  const log: string[] = [];
  const bridges: SdkBridge[] = [];
  return {
    sim,
    home,
    python,
    log,
    bridge: () => {
      const bridge = new SdkBridge({
        python,
        cli: sim.brevPath,
        home,
        stateFolder,
        environment: cliEnvironment(sim.env),
        log: (line) => log.push(line),
      });
      bridges.push(bridge);
      return bridge;
    },
    dispose: async () => {
      for (const bridge of bridges) bridge.dispose();
      await sim.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
