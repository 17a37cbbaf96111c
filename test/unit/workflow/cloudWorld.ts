import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type JobRecord, jobRecord } from '../../../src/jobs/record.ts';
import { type PlanState, planState } from '../../../src/workflow/planState.ts';
import type { PlanWorld } from '../../../src/workflow/planWorld.ts';
import { type LeptonSim, startLeptonSim } from '../../lepton-sim/sim.ts';
import { type Moto, type MotoKeys, startMoto } from '../../support/moto.ts';
import { createSdkCloud, type SdkCloud } from '../platforms/brevSdk/sdkCloud.ts';
import { type S3Gateway, startS3Gateway } from '../storage/s3Gateway.ts';
import { makeAws } from './awsProgram.ts';
import { SPEC } from './fiveSteps.ts';
import { type PlanPlaces, planParts, recordsOf, stateOf } from './planParts.ts';

/** An S3 server with a bucket, which several worlds may share. */
export interface CloudS3 {
  readonly moto: Moto;
  readonly gateway: S3Gateway;
  readonly keys: MotoKeys;
  dispose(): Promise<void>;
}

export async function startCloudS3(): Promise<CloudS3> {
  const moto = await startMoto();
  await moto.createBucket('bkt');
  const keys = await moto.addUser('all', [{ Effect: 'Allow', Action: ['s3:*'], Resource: '*' }]);
  await moto.put('bkt', 'raw/a.txt', 'raw data');
  const gateway = await startS3Gateway(moto, [keys]);
  await moto.enforce();
  return {
    moto,
    gateway,
    keys,
    dispose: async () => {
      await gateway.stop();
      await moto.stop();
    },
  };
}

/** Brev with its CLI and the real SDK, and Lepton, all on this computer; S3 is there already. */
export interface CloudWorld {
  readonly cloud: SdkCloud;
  readonly lepton: LeptonSim;
  readonly s3: CloudS3;
  readonly folder: string;
  /** In S3, for this world alone; without a slash at its end. */
  readonly results: string;
  /** As a computer knows it all; other computers have other jobs. */
  places(computer?: string): PlanPlaces;
  /** In this process; nothing runs in it. */
  world(): PlanWorld;
  state(): PlanState;
  /** Of all computers: the records of jobs that were ever submitted. */
  records(): readonly JobRecord[];
  /** How often the program of a step noted that it ran. */
  runs(step: string): number;
  dispose(): Promise<void>;
}

let worlds = 0;

export async function createCloudWorld(s3: CloudS3): Promise<CloudWorld> {
  const [cloud, lepton] = await Promise.all([
    createSdkCloud({ speed: 500, machineSpeed: 100 }),
    startLeptonSim(),
  ]);
  const folder = path.join(cloud.sim.root, 'plan');
  const programs = path.join(folder, 'bin');
  mkdirSync(path.join(folder, 'runs'), { recursive: true });
  makeAws(programs);
  writeFileSync(path.join(folder, 'evaluate.yaml'), SPEC);
  const { accessKey, secretKey } = s3.keys;
  const { endpoint } = s3.gateway;
  const searchPath = `${programs}:/usr/local/bin:/usr/bin:/bin`;
  const variables = [
    ['AWS_ACCESS_KEY_ID', accessKey],
    ['AWS_SECRET_ACCESS_KEY', secretKey],
    ['AWS_ENDPOINT_URL', endpoint],
  ] as const;
  for (const [name, value] of variables) lepton.secrets.set(name, value);
  lepton.secrets.set('PATH', searchPath);
  await noteRuns(cloud, path.join(folder, 'runs/evaluate'));
  const computers = new Set<string>();
  const places = (computer = 'one'): PlanPlaces => {
    computers.add(computer);
    const { brevPath, env, root } = cloud.sim;
    const { token, url, workspaceId } = lepton;
    return {
      sim: { root, brevPath, env },
      bridge: cloud.places(computer),
      lepton: { url, workspaceId, token },
      s3: { accessKey, secretKey, sessionToken: undefined, endpoint, region: undefined },
      variables,
      searchPath,
      folder,
      desk: path.join(folder, computer),
    };
  };
  worlds++;
  return {
    cloud,
    lepton,
    s3,
    folder,
    results: `s3://bkt/flow-${worlds}`,
    places,
    world: () => planParts(places()).world,
    state: () => planState.parse(JSON.parse(readFileSync(stateOf({ folder }), 'utf8'))),
    records: () =>
      [...computers].flatMap((computer) => {
        const records = recordsOf(places(computer));
        return (existsSync(records) ? readdirSync(records) : [])
          .filter((name) => /^[^.].*\.json$/.test(name))
          .map((name) => jobRecord.parse(JSON.parse(readFileSync(path.join(records, name), 'utf8'))));
      }),
    runs: (step) => {
      const file = path.join(folder, 'runs', step);
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
    },
    dispose: async () => {
      await lepton.dispose();
      await cloud.dispose();
    },
  };
}

/** Has the machine's docker note the containers that it is told to run. */
async function noteRuns({ sim }: SdkCloud, file: string): Promise<void> {
  const docker = path.join((await sim.instance('gpu1')).machine, 'bin/docker');
  const [first, ...rest] = readFileSync(docker, 'utf8').split('\n');
  writeFileSync(docker, [first, `[ "$1" != run ] || echo ran >>'${file}'`, ...rest].join('\n'));
}
