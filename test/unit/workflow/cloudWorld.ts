import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Offers } from '../../../src/instances/offers.ts';
import { InstanceStore } from '../../../src/instances/store.ts';
import { JobFolders } from '../../../src/jobs/jobFolder.ts';
import { Jobs } from '../../../src/jobs/jobs.ts';
import { RecordStore } from '../../../src/jobs/recordStore.ts';
import { BrevPlatform } from '../../../src/platforms/brev/brevPlatform.ts';
import { BrevSdkPlatform } from '../../../src/platforms/brevSdk/brevSdkPlatform.ts';
import { readLeptonAccount } from '../../../src/platforms/lepton/account.ts';
import { LeptonPlatform } from '../../../src/platforms/lepton/leptonPlatform.ts';
import type { Platform, PlatformId } from '../../../src/platforms/platform.ts';
import { systemClock } from '../../../src/process/clock.ts';
import { Redactor } from '../../../src/process/redact.ts';
import { ExecShell } from '../../../src/remote/execShell.ts';
import type { S3Credentials } from '../../../src/storage/s3.ts';
import { ok } from '../../../src/values/outcome.ts';
import type { Plan } from '../../../src/workflow/plan.ts';
import { PlanRun } from '../../../src/workflow/planRun.ts';
import { beginState, type PlanState } from '../../../src/workflow/planState.ts';
import { PlanWorld } from '../../../src/workflow/planWorld.ts';
import { StateFile } from '../../../src/workflow/stateFile.ts';
import { type LeptonSim, startLeptonSim } from '../../lepton-sim/sim.ts';
import { brevOn } from '../../support/brev-client.ts';
import { type Moto, startMoto } from '../../support/moto.ts';
import { createSdkCloud, type SdkCloud } from '../platforms/brevSdk/sdkCloud.ts';
import { fastClock } from '../platforms/lepton/support.ts';
import { type S3Gateway, startS3Gateway } from '../storage/s3Gateway.ts';
import { makeAws } from './awsProgram.ts';

const never = new AbortController().signal;

/** One process of the extension: what is in its memory goes away with it. */
export interface PlanWindow {
  readonly world: PlanWorld;
  readonly run: PlanRun;
  /** Until the plan has ended, or the window is closed. */
  readonly ended: Promise<PlanState['ended']>;
  close(): Promise<void>;
}

/** Brev with its CLI and the real SDK, Lepton and S3, all on this computer. */
export interface CloudWorld {
  readonly cloud: SdkCloud;
  readonly lepton: LeptonSim;
  readonly s3: S3Credentials;
  readonly moto: Moto;
  readonly gateway: S3Gateway;
  readonly folder: string;
  /** Opens a window on the plan: anew the first time, and then with what is left of it; other computers have other jobs. */
  open(plan: Plan, computer?: string): Promise<PlanWindow>;
  world(): PlanWorld;
  state(): PlanState;
  /** The records of jobs that were ever submitted. */
  records(): readonly {
    readonly id: string;
    readonly platform: string;
    readonly terminal_state: string | null;
    readonly transitions: readonly { readonly message: string }[];
  }[];
  dispose(): Promise<void>;
}

export async function createCloudWorld(): Promise<CloudWorld> {
  const [cloud, lepton, moto] = await Promise.all([
    createSdkCloud({ speed: 500, machineSpeed: 100 }),
    startLeptonSim(),
    startMoto(),
  ]);
  await moto.createBucket('bkt');
  const keys = await moto.addUser('all', [{ Effect: 'Allow', Action: ['s3:*'], Resource: '*' }]);
  await moto.put('bkt', 'raw/a.txt', 'raw data');
  const gateway = await startS3Gateway(moto, [keys]);
  await moto.enforce();
  const folder = path.join(cloud.sim.root, 'plan');
  mkdirSync(folder);
  const programs = path.join(folder, 'bin');
  await makeAws(programs);
  const searchPath = `${programs}:/usr/local/bin:/usr/bin:/bin`;
  const variables = new Map([
    ['AWS_ACCESS_KEY_ID', keys.accessKey],
    ['AWS_SECRET_ACCESS_KEY', keys.secretKey],
    ['AWS_ENDPOINT_URL', gateway.endpoint],
  ]);
  for (const [name, value] of variables) lepton.secrets.set(name, value);
  lepton.secrets.set('PATH', searchPath);
  const s3: S3Credentials = {
    accessKey: keys.accessKey,
    secretKey: keys.secretKey,
    sessionToken: undefined,
    endpoint: gateway.endpoint,
    region: undefined,
  };
  const brev = brevOn(cloud.sim);
  const file = new StateFile(path.join(folder, 'a.brevflow.yaml.state.json'));
  const computers = new Set(['one']);
  const recordFolder = (computer: string) => path.join(folder, computer, 'records');

  const parts = (computer = 'one') => {
    computers.add(computer);
    const store = new InstanceStore({
      brev,
      clock: systemClock,
      intervals: () => ({ steadyMs: 1e8, transitionMs: 200 }),
    });
    const shell = async ({ instanceName }: { instanceName: string }) => ok(new ExecShell(brev, instanceName));
    const bridge = cloud.bridge();
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
            cursorFile: (jobId) => path.join(folder, computer, `${jobId}.cursor`),
            timings: { pollMs: 1_000 },
          }),
        ],
      ]),
      records: new RecordStore(recordFolder(computer), systemClock, new Redactor()),
      folders: new JobFolders(path.join(folder, computer, 'jobs')),
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
      secrets: async () => ({ environment: variables, ngcKey: undefined }),
      variable: async (name) => (name === 'PATH' ? searchPath : undefined),
      s3: async () => s3,
      lepton: account,
      sdkTrouble: async () => undefined,
    });
    return { store, jobs, bridge, world };
  };

  return {
    cloud,
    lepton,
    s3,
    moto,
    gateway,
    folder,
    world: () => parts().world,
    state: () => JSON.parse(readFileSync(path.join(folder, 'a.brevflow.yaml.state.json'), 'utf8')),
    records: () =>
      [...computers].flatMap((computer) =>
        readdirSync(recordFolder(computer))
          .filter((name) => /^[^.].*\.json$/.test(name))
          .map((name) => JSON.parse(readFileSync(path.join(recordFolder(computer), name), 'utf8'))),
      ),
    open: async (plan, computer) => {
      const { bridge, jobs, store, world } = parts(computer);
      const reading = await file.read();
      const run = new PlanRun({
        plan,
        state:
          reading.kind === 'read'
            ? reading.state
            : beginState(plan, undefined, { kind: 'anew' }, systemClock.now()),
        world,
        store: file,
        log: () => undefined,
      });
      await jobs.resume();
      const stop = new AbortController();
      const ended = run.run(stop.signal);
      return {
        world,
        run,
        ended,
        close: async () => {
          stop.abort();
          jobs.dispose();
          store.dispose();
          await ended;
          bridge.dispose();
        },
      };
    },
    dispose: async () => {
      await Promise.all([gateway.stop(), lepton.dispose()]);
      await moto.stop();
      await cloud.dispose();
    },
  };
}

export const writeSpec = (folder: string, name: string, content: string): void =>
  writeFileSync(path.join(folder, name), content);

export { never };
