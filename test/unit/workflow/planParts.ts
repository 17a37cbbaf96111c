import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cliEnvironment } from '../../../src/brev/environment.ts';
import { Offers } from '../../../src/instances/offers.ts';
import { InstanceStore } from '../../../src/instances/store.ts';
import { JobFolders } from '../../../src/jobs/jobFolder.ts';
import { Jobs } from '../../../src/jobs/jobs.ts';
import { RecordStore } from '../../../src/jobs/recordStore.ts';
import { BrevPlatform } from '../../../src/platforms/brev/brevPlatform.ts';
import { BrevSdkPlatform } from '../../../src/platforms/brevSdk/brevSdkPlatform.ts';
import type { BridgePlaces } from '../../../src/platforms/brevSdk/bridgeEnvironment.ts';
import { SdkBridge, type SdkBridgeOptions } from '../../../src/platforms/brevSdk/sdkBridge.ts';
import { readLeptonAccount } from '../../../src/platforms/lepton/account.ts';
import { LeptonPlatform } from '../../../src/platforms/lepton/leptonPlatform.ts';
import type { Platform, PlatformId } from '../../../src/platforms/platform.ts';
import { systemClock } from '../../../src/process/clock.ts';
import { Redactor } from '../../../src/process/redact.ts';
import { createRun, type Run } from '../../../src/process/run.ts';
import { ExecShell } from '../../../src/remote/execShell.ts';
import type { S3Credentials } from '../../../src/storage/s3.ts';
import { ok } from '../../../src/values/outcome.ts';
import { PlanWorld } from '../../../src/workflow/planWorld.ts';
import type { Sim } from '../../brev-sim/sim.ts';
import { brevOn } from '../../support/brev-client.ts';
import { fastClock } from '../platforms/lepton/support.ts';

/** Where everything is that a process of the extension needs for a plan; another process can be told it as JSON. */
export interface PlanPlaces {
  readonly sim: Pick<Sim, 'root' | 'brevPath' | 'env'>;
  readonly bridge: BridgePlaces;
  readonly lepton: { readonly url: string; readonly workspaceId: string; readonly token: string };
  readonly s3: S3Credentials;
  /** What jobs get by themselves. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly searchPath: string;
  /** The plan's, with the state beside it. */
  readonly folder: string;
  /** Of this computer alone: records and folders of jobs. */
  readonly desk: string;
}

/** What the parts do to the world, each of which may be another one that takes notes. */
export interface PlanTools {
  readonly run: Run;
  readonly records: RecordStore;
  readonly folders: JobFolders;
  readonly leptonFetch: typeof globalThis.fetch;
  readonly s3Fetch: typeof globalThis.fetch;
  bridge(options: SdkBridgeOptions): SdkBridge;
}

export interface PlanParts {
  readonly store: InstanceStore;
  readonly jobs: Jobs;
  readonly bridge: SdkBridge;
  readonly world: PlanWorld;
}

export const recordsOf = ({ desk }: PlanPlaces): string => path.join(desk, 'records');
export const stateOf = ({ folder }: Pick<PlanPlaces, 'folder'>): string =>
  path.join(folder, 'a.brevflow.yaml.state.json');

export function plainTools(places: PlanPlaces): PlanTools {
  return {
    run: createRun(),
    records: new RecordStore(recordsOf(places), systemClock, new Redactor()),
    folders: new JobFolders(path.join(places.desk, 'jobs')),
    leptonFetch: globalThis.fetch,
    s3Fetch: globalThis.fetch,
    bridge: (options) => new SdkBridge(options),
  };
}

/** The parts of the extension that run plans, as it builds them. */
export function planParts(places: PlanPlaces, tools: PlanTools = plainTools(places)): PlanParts {
  const { desk, folder, lepton, s3, searchPath, sim, variables } = places;
  const brev = brevOn(sim, tools.run);
  const store = new InstanceStore({
    brev,
    clock: systemClock,
    intervals: () => ({ steadyMs: 1e8, transitionMs: 200 }),
  });
  const shell = async ({ instanceName }: { instanceName: string }) => ok(new ExecShell(brev, instanceName));
  const bridge = tools.bridge({
    ...places.bridge,
    environment: cliEnvironment(sim.env),
    log: () => undefined,
  });
  const account = async () =>
    readLeptonAccount({
      LEPTON_WORKSPACE_ID: lepton.workspaceId,
      LEPTON_WORKSPACE_TOKEN: lepton.token,
      LEPTON_WORKSPACE_URL: lepton.url,
    });
  const jobs = new Jobs({
    platforms: new Map<PlatformId, Platform>([
      ['brev', new BrevPlatform({ clock: systemClock, shell })],
      [
        'brev-sdk',
        new BrevSdkPlatform({
          clock: systemClock,
          shell,
          bridge: async () => ok(bridge),
          placement: async () => undefined,
          log: () => undefined,
        }),
      ],
      [
        'lepton',
        new LeptonPlatform({
          clock: fastClock,
          account,
          cursorFile: (jobId) => path.join(desk, `${jobId}.cursor`),
          fetch: tools.leptonFetch,
          timings: { pollMs: 10_000 },
        }),
      ],
    ]),
    records: tools.records,
    folders: tools.folders,
    clock: systemClock,
    random: () => 0,
    log: () => undefined,
  });
  const world = new PlanWorld({
    clock: systemClock,
    jobs,
    brev,
    store,
    offers: new Offers(brev, systemClock),
    readiness: () => ({ intervalMs: 100, deadlineMs: 60_000, stuckMs: 60_000 }),
    placement: async () => undefined,
    readSpec: async (name) => {
      const uri = path.join(folder, name);
      try {
        return { content: readFileSync(uri), uri };
      } catch {
        return undefined;
      }
    },
    secrets: async () => ({ environment: new Map(variables), ngcKey: undefined }),
    variable: async (name) => (name === 'PATH' ? searchPath : undefined),
    s3: async () => s3,
    lepton: account,
    sdkTrouble: async () => undefined,
    fetch: tools.s3Fetch,
  });
  return { store, jobs, bridge, world };
}
