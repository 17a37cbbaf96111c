import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledCli } from './cloud/bundle.ts';
import { type Call, readCalls } from './cloud/calls.ts';
import { type Fault, writeScenario } from './cloud/faults.ts';
import { type Instance, look } from './cloud/instance.ts';
import { ignoreMissing } from './cloud/lock.ts';
import { destroyMachine, MACHINE_MARKER, machineDir, machineHome, nodeLauncher } from './cloud/machine.ts';
import { addInstance, newId, newInstance } from './cloud/new-instance.ts';
import { isRunning, killMarked, markedProcesses } from './cloud/processes.ts';
import { type Cloud, type Dialect, readCloud, type Timings, updateCloud, writeCloud } from './cloud/state.ts';
import { mintToken } from './cloud/tokens.ts';

export type { Call } from './cloud/calls.ts';
export type { Fault } from './cloud/faults.ts';
export type { Instance, SshState } from './cloud/instance.ts';
export { OFFERS, type Offer } from './cloud/offers.ts';
export type { Cloud, Dialect, Timings } from './cloud/state.ts';
export { mintToken } from './cloud/tokens.ts';

export interface SimOptions {
  /** A cloud folder: made if absent, opened as it is if a cloud is in it. Default: a fresh temporary one. */
  root?: string;
  dialect?: Dialect;
  version?: string;
  /** 1 = realistic seconds; tests use about 50. */
  speed?: number;
  /** Speed of what runs on the machines (pulls, training); default 1. */
  machineSpeed?: number;
  signedIn?: boolean;
  timings?: Partial<Timings>;
}

/** What an instance may be given at birth; everything else is as for a healthy RUNNING one. */
export interface InstanceSpec extends Partial<Instance> {
  name: string;
}

export interface SimInstance {
  id: string;
  name: string;
  status: string;
  home: string;
  machine: string;
}

export interface Sim {
  root: string;
  brevPath: string;
  home: string;
  env: Record<string, string>;
  /** Adds an instance whose state stays as given until a command or `update` changes it (or its `motion` goes on). */
  addInstance(spec: InstanceSpec): Promise<SimInstance>;
  /** The first instance of that name or id that exists now; throws where there is none. */
  instance(nameOrId: string): Promise<SimInstance>;
  instances(): Promise<SimInstance[]>;
  /** Changes the record; ends a change of state that was under way unless the patch has a motion. */
  update(nameOrId: string, patch: Partial<Instance>): Promise<void>;
  removeInstance(nameOrId: string): Promise<void>;
  /** Changes anything else of the cloud: orgs, sold-out types, sessions, placement, … */
  cloud(change: (cloud: Cloud) => void): Promise<void>;
  scenario(faults: Fault[]): Promise<void>;
  calls(): Promise<Call[]>;
  remoteProcesses(nameOrId: string): Promise<number[]>;
  /** ssh-agents that execs without SSH_AUTH_SOCK left behind and that still run. */
  leakedAgents(): Promise<number[]>;
  /** What `port-forward` left behind and still runs. */
  tunnels(): Promise<number[]>;
  /** Command lines that analytics sent away, one JSON object a line in the file; empty where nothing leaked. */
  analytics(): Promise<string>;
  /** Ends every process of this cloud and removes the folder, if it was made here. */
  dispose(): Promise<void>;
}

/** Every process that the simulated brev starts carries this variable with the cloud's folder. */
const PROCESS_MARKER = 'BREV_SIM_PROCESS';

const REALISTIC: Timings = {
  deployMs: 90_000,
  buildMs: 60_000,
  sshMs: 20_000,
  startMs: 60_000,
  stopMs: 30_000,
  deleteMs: 20_000,
};

/** Makes a simulated Brev cloud with its own `brev`, or opens one. */
export async function createSim(options: SimOptions = {}): Promise<Sim> {
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'brev-sim-'));
  const isNew = !existsSync(join(root, 'cloud.json'));
  if (isNew) await found(root, options);
  return openSim(root, isNew);
}

function openSim(root: string, mine: boolean): Sim {
  const home = join(root, 'user');
  const brevPath = join(root, 'bin', 'brev');
  const find = (nameOrId: string) => findRecord(root, nameOrId);
  return {
    root,
    brevPath,
    home,
    env: {
      PATH: `${join(root, 'bin')}:${process.env.PATH ?? '/usr/bin:/bin'}`,
      HOME: home,
      BREV_SIM_ROOT: root,
      LANG: 'C.UTF-8',
    },
    async addInstance(spec) {
      const cloud = readCloud(root);
      const instance: Instance = {
        ...newInstance(cloud, {
          type: 'g6e.xlarge',
          orgId: cloud.orgs[0]?.id ?? '',
          owner: cloud.user.id,
          status: 'RUNNING',
          ...spec,
        }),
        ...spec,
      };
      addInstance(root, instance);
      return describe(root, cloud, instance);
    },
    async instance(nameOrId) {
      return describe(root, readCloud(root), find(nameOrId));
    },
    async instances() {
      const cloud = readCloud(root);
      return cloud.instances
        .filter((one) => !sightOf(cloud, one).gone)
        .map((one) => describe(root, cloud, one));
    },
    async update(nameOrId, patch) {
      const { id } = find(nameOrId);
      updateCloud(root, (cloud) => {
        const record = cloud.instances.find((candidate) => candidate.id === id);
        if (record === undefined) return;
        settle(cloud, record);
        Object.assign(record, patch);
      });
    },
    async removeInstance(nameOrId) {
      const { id } = find(nameOrId);
      updateCloud(root, (cloud) => {
        cloud.instances = cloud.instances.filter((candidate) => candidate.id !== id);
      });
      await destroyMachine(root, id);
    },
    async cloud(change) {
      updateCloud(root, change);
    },
    async scenario(faults) {
      writeScenario(root, faults);
    },
    async calls() {
      return readCalls(root);
    },
    async remoteProcesses(nameOrId) {
      return markedProcesses(MACHINE_MARKER, machineDir(root, find(nameOrId).id));
    },
    async leakedAgents() {
      return recordedPids(join(root, 'agents'));
    },
    async tunnels() {
      return recordedPids(join(root, 'tunnels'));
    },
    async analytics() {
      return ignoreMissing(() => readFileSync(join(root, 'analytics.log'), 'utf8')) ?? '';
    },
    async dispose() {
      await killMarked(PROCESS_MARKER, root);
      if (mine) rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function found(root: string, options: SimOptions): Promise<void> {
  for (const dir of ['bin', 'libexec', 'machines', 'user']) mkdirSync(join(root, dir), { recursive: true });
  const version = options.version ?? '0.6.327';
  const dialect = options.dialect ?? 'public';
  const session = newId();
  const cloud: Cloud = {
    dialect,
    version,
    speed: options.speed ?? 1,
    machineSpeed: options.machineSpeed ?? 1,
    timings: { ...REALISTIC, ...options.timings },
    nodePath: process.execPath,
    sourceDir: import.meta.dirname,
    user: { id: 'user-sim', email: 'someone@example.com', name: 'Some One' },
    orgs: [
      { id: 'org-research', name: 'research' },
      { id: 'org-vision', name: 'Vision-Lab' },
    ],
    placement: {
      cloudCredentials:
        dialect === 'tao'
          ? [
              { id: 'cred-aws', name: 'aws' },
              { id: 'cred-gcp', name: 'gcp' },
            ]
          : [],
      workspaceGroups: dialect === 'tao' ? ['group-west', 'group-east'] : ['devplane-brev-1'],
    },
    sessions: { [session]: 'good' },
    latestVersion: version,
    browserLogin: 'completes',
    privateKey: 'simulated private key\n',
    soldOut: [],
    nodes: [],
    instances: [],
  };
  const exports = `export BREV_SIM_ROOT='${root}' ${PROCESS_MARKER}='${root}'\n`;
  executable(join(root, 'bin', 'brev'), nodeLauncher(cloud, await bundledCli(cloud.sourceDir), exports));
  for (const tool of ['ssh', 'ssh-agent']) {
    const path = join(root, 'libexec', tool);
    copyFileSync(join(cloud.sourceDir, 'remote', `${tool}.bash`), path);
    chmodSync(path, 0o755);
  }
  if (options.signedIn !== false) {
    const dir = join(root, 'user', '.brev');
    mkdirSync(dir, { recursive: true });
    writeFileSync(
      join(dir, 'credentials.json'),
      JSON.stringify({
        access_token: mintToken({ expiresInSeconds: 3_600 }),
        refresh_token: `${session}:device`,
      }),
    );
  }
  writeCloud(root, cloud);
}

function recordedPids(path: string): number[] {
  const text = ignoreMissing(() => readFileSync(path, 'utf8')) ?? '';
  return text.split('\n').filter(Boolean).map(Number).filter(isRunning);
}

function executable(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

function sightOf(cloud: Cloud, instance: Instance) {
  return look(instance, Date.now(), cloud.speed, cloud.timings);
}

/** Turns a change of state that is under way into the state that it has reached. */
function settle(cloud: Cloud, instance: Instance): void {
  const { status, buildStatus, healthStatus, statusMessage } = sightOf(cloud, instance);
  Object.assign(instance, { status, buildStatus, healthStatus, statusMessage });
  delete instance.motion;
}

function findRecord(root: string, nameOrId: string): Instance {
  const cloud = readCloud(root);
  const live = cloud.instances.filter((instance) => !sightOf(cloud, instance).gone);
  const found = live.find(({ name }) => name === nameOrId) ?? live.find(({ id }) => id === nameOrId);
  if (found === undefined) throw new Error(`The simulated cloud has no instance ${nameOrId}`);
  return found;
}

function describe(root: string, cloud: Cloud, instance: Instance): SimInstance {
  return {
    id: instance.id,
    name: instance.name,
    status: sightOf(cloud, instance).status,
    home: machineHome(root, instance.id),
    machine: machineDir(root, instance.id),
  };
}
