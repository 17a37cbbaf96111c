import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cliEnvironment } from '../../../../src/brev/environment.ts';
import type { BridgePlaces } from '../../../../src/platforms/brevSdk/bridgeEnvironment.ts';
import { writeBridgeFiles } from '../../../../src/platforms/brevSdk/bridgeFiles.ts';
import { SdkBridge } from '../../../../src/platforms/brevSdk/sdkBridge.ts';
import { createSim, OFFERS, type Sim, type SimOptions } from '../../../brev-sim/sim.ts';
import { pythonOf } from '../../../support/pythonEnvironment.ts';

/** A simulated cloud with one machine, and the real SDK on it behind our bridge. */
export interface SdkCloud {
  readonly sim: Sim;
  readonly home: string;
  readonly python: string;
  readonly log: readonly string[];
  /** Each computer keeps a state of its own. */
  places(computer?: string): BridgePlaces;
  /** The type that the cheapest offer of one L40S has. */
  cheapestL40S(): string;
  /** A bridge on the same state, as after a reload. */
  bridge(): SdkBridge;
  dispose(): Promise<void>;
}

export async function createSdkCloud(options: SimOptions = {}): Promise<SdkCloud> {
  const [sim, python] = await Promise.all([
    createSim({ speed: 100, machineSpeed: 100, ...options }),
    pythonOf('tao-sdk'),
  ]);
  await sim.addInstance({ name: 'gpu1' });
  // the first exec would write the ssh config while another reads it (brev-cli.md part 11)
  await promisify(execFile)(sim.brevPath, ['refresh'], { env: cliEnvironment(sim.env) });
  const folder = await mkdtemp(path.join(sim.root, 'sdk-'));
  const home = await writeBridgeFiles(folder);
  const stateFolders = new Set<string>();
  const log: string[] = [];
  const places = (computer = 'one'): BridgePlaces => {
    const stateFolder = path.join(folder, `state-${computer}`);
    mkdirSync(path.join(stateFolder, 'brev-instances/claims'), { recursive: true, mode: 0o700 });
    stateFolders.add(stateFolder);
    return { python, cli: sim.brevPath, home, stateFolder };
  };
  const bridges: SdkBridge[] = [];
  return {
    sim,
    home,
    python,
    log,
    places,
    cheapestL40S: () => {
      const offers = OFFERS.filter(({ gpu_name, gpu_count }) => gpu_name === 'L40S' && gpu_count === 1);
      return offers.sort((a, b) => a.price_per_hour - b.price_per_hour)[0]?.type ?? '';
    },
    bridge: () => {
      const bridge = new SdkBridge({
        ...places(),
        environment: cliEnvironment(sim.env),
        log: (line) => log.push(line),
      });
      bridges.push(bridge);
      return bridge;
    },
    dispose: async () => {
      for (const bridge of bridges) bridge.dispose();
      const jobs = [...stateFolders].flatMap((each) => readdirSync(path.join(each, 'brev-instances/claims')));
      await sim.dispose();
      // the simulated machine's /tmp is this computer's
      for (const job of jobs) {
        for (const end of ['log', 'cid', 'exit', 'launch'])
          rmSync(`/tmp/tao-job-${job}.${end}`, { recursive: true, force: true });
      }
    },
  };
}
