import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Call, readCalls } from './cloud/calls.ts';
import { type Fault, writeScenario } from './cloud/faults.ts';
import { foundCloud, PROCESS_MARKER, type SimOptions } from './cloud/founding.ts';
import { type Instance, look } from './cloud/instance.ts';
import { ignoreMissing } from './cloud/lock.ts';
import { destroyMachine, MACHINE_MARKER, machineDir, machineHome } from './cloud/machine.ts';
import { addInstance, newInstance } from './cloud/new-instance.ts';
import { isRunning, killMarked, markedProcesses } from './cloud/processes.ts';
import { type Cloud, readCloud, updateCloud } from './cloud/state.ts';

export type { Call } from './cloud/calls.ts';
export type { Fault } from './cloud/faults.ts';
export type { SimOptions } from './cloud/founding.ts';
export type { Instance, SshState } from './cloud/instance.ts';
export { OFFERS, type Offer } from './cloud/offers.ts';
export type { Cloud, Dialect, Timings } from './cloud/state.ts';
export { mintToken } from './cloud/tokens.ts';

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

/** Makes a simulated Brev cloud with its own `brev`, or opens one. */
export async function createSim(options: SimOptions = {}): Promise<Sim> {
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'brev-sim-'));
  const isNew = !existsSync(join(root, 'cloud.json'));
  if (isNew) await foundCloud(root, options);
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
      BREV_SIM_SOURCE: readCloud(root).sourceDir,
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

function recordedPids(path: string): number[] {
  const text = ignoreMissing(() => readFileSync(path, 'utf8')) ?? '';
  return text.split('\n').filter(Boolean).map(Number).filter(isRunning);
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
