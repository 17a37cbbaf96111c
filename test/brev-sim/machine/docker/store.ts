import { mkdirSync, readdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, readJsonIfThere, readTextIfThere, writeAtomic } from '../json.ts';
import { NEVER, nanoTime, nowNanoseconds } from './clock.ts';
import { type ContainerConfig, type ContainerState, isConfig, isState } from './container.ts';
import { runnerListens } from './control.ts';
import { DockerFailure, engineError } from './failure.ts';

export interface Container {
  dir: string;
  config: ContainerConfig;
  state: ContainerState;
}

/** The state folder of the simulated machine that this process runs on. */
export function machineFolder(): string {
  const machine = process.env.BREV_SIM_MACHINE;
  if (machine === undefined || machine === '') throw new DockerFailure('BREV_SIM_MACHINE is not set', 1);
  return machine;
}

export function dockerFolder(machine: string): string {
  return join(machine, 'docker');
}

function containersFolder(machine: string): string {
  return join(dockerFolder(machine), 'containers');
}

/** Most calls need no random bytes, and loading node:crypto is a tenth of their time. */
export function newContainerId(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(32).toString('hex');
}

/** Stores a new container under its name; a name in use is docker's conflict. */
export function addContainer(machine: string, config: ContainerConfig): Container {
  const parent = containersFolder(machine);
  mkdirSync(parent, { recursive: true });
  const dir = join(parent, config.id);
  const state: ContainerState = {
    status: 'created',
    pid: 0,
    exitCode: 0,
    oomKilled: false,
    error: '',
    startedAt: NEVER,
    finishedAt: NEVER,
  };
  const staged = join(dockerFolder(machine), `new-${config.id}`);
  mkdirSync(staged, { mode: 0o700 });
  writeFileSync(join(staged, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  writeFileSync(join(staged, 'state.json'), JSON.stringify(state));
  try {
    takeName(machine, config.name, config.id);
  } catch (error) {
    rmSync(staged, { recursive: true });
    throw error;
  }
  renameSync(staged, dir);
  return { dir, config, state };
}

function nameFile(machine: string, name: string): string {
  return join(dockerFolder(machine), 'names', name);
}

/** The file named after the container is its lock: making it is the atomic step. */
function takeName(machine: string, name: string, id: string): void {
  mkdirSync(join(dockerFolder(machine), 'names'), { recursive: true });
  for (;;) {
    try {
      writeFileSync(nameFile(machine, name), `${id} ${process.pid}`, { flag: 'wx' });
      return;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const [owner = '', pid = ''] = (readTextIfThere(nameFile(machine, name)) ?? '').split(' ');
    if (owner !== '' && isAbandoned(machine, owner, Number(pid))) {
      forgetName(machine, name);
      continue;
    }
    throw engineError(
      `Conflict. The container name "/${name}" is already in use by container "${owner}". You have to remove (or rename) that container to be able to reuse that name.`,
    );
  }
}

/** A client that was killed between taking a name and storing its container leaves a name without a container. */
function isAbandoned(machine: string, id: string, pid: number): boolean {
  if (readTextIfThere(join(containersFolder(machine), id, 'config.json')) !== undefined) return false;
  return readTextIfThere(`/proc/${pid}/stat`) === undefined;
}

function forgetName(machine: string, name: string): void {
  try {
    unlinkSync(nameFile(machine, name));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Removes a stopped container and frees its name; removing one that is gone is fine. */
export function removeContainer(machine: string, container: Container): void {
  // Renamed first, so that nobody sees half a container.
  const grave = join(dockerFolder(machine), `old-${container.config.id}`);
  try {
    renameSync(container.dir, grave);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  forgetName(machine, container.config.name);
  rmSync(grave, { recursive: true, force: true });
}

export function writeState(dir: string, state: ContainerState): void {
  writeAtomic(join(dir, 'state.json'), JSON.stringify(state));
}

export function readState(dir: string): ContainerState | undefined {
  const state = readJsonIfThere(join(dir, 'state.json'));
  return isState(state) ? state : undefined;
}

/** A container as it is on disk, whether its runner lives or not. */
export function readContainer(dir: string): Container | undefined {
  const config = readJsonIfThere(join(dir, 'config.json'));
  const state = readState(dir);
  return isConfig(config) && state !== undefined ? { dir, config, state } : undefined;
}

/** Every container, newest first, with the truth about those whose runner vanished. */
export async function listContainers(machine: string): Promise<Container[]> {
  let names: string[];
  try {
    names = readdirSync(containersFolder(machine));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
  const found = await Promise.all(names.map((id) => settledContainer(join(containersFolder(machine), id))));
  return found
    .filter((container) => container !== undefined)
    .sort((a, b) => (a.config.created < b.config.created ? 1 : -1));
}

/** A running container without a runner went down with its machine: it is seen as exited 137 (contract part 6). */
async function settledContainer(dir: string): Promise<Container | undefined> {
  const container = readContainer(dir);
  if (container === undefined || container.state.status !== 'running') return container;
  if (await runnerListens(container.config.id)) return container;
  // The runner writes its last state before it stops listening: read again before declaring it lost.
  const state = readState(dir);
  if (state === undefined) return undefined;
  if (state.status !== 'running') return { ...container, state };
  const lost: ContainerState = {
    ...state,
    status: 'exited',
    pid: 0,
    exitCode: 137,
    finishedAt: nanoTime(nowNanoseconds()),
  };
  try {
    writeState(dir, lost);
  } catch (error) {
    // Removed by another client at this moment.
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  return { ...container, state: lost };
}

/** A container by name, id or unambiguous start of an id; undefined when there is none. */
export async function findContainer(machine: string, reference: string): Promise<Container | undefined> {
  const name = reference.startsWith('/') ? reference.slice(1) : reference;
  if (/^[\w.-]+$/.test(name)) {
    const [owner] = (readTextIfThere(nameFile(machine, name)) ?? '').split(' ');
    if (owner !== undefined && owner !== '') return settledContainer(join(containersFolder(machine), owner));
  }
  if (!/^[0-9a-f]{1,64}$/.test(reference)) return undefined;
  if (reference.length === 64) return settledContainer(join(containersFolder(machine), reference));
  const matches = (await listContainers(machine)).filter(({ config }) => config.id.startsWith(reference));
  if (matches.length > 1) throw engineError(`multiple IDs found with provided prefix: ${reference}`);
  return matches[0];
}

/** The same, where a missing container is an error. */
export async function requireContainer(machine: string, reference: string): Promise<Container> {
  const container = await findContainer(machine, reference);
  if (container === undefined) throw engineError(`No such container: ${reference}`);
  return container;
}
