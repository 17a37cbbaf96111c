import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instance } from './instance.ts';
import { codeOf } from './lock.ts';
import { findOffer } from './offers.ts';
import { killMarked } from './processes.ts';
import type { Cloud } from './state.ts';

/** The environment variable that every process on a machine carries, with the machine's folder. */
export const MACHINE_MARKER = 'BREV_SIM_MACHINE';

const SYSTEM_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
/** Commands of the computer that plays the cloud, which a machine must not see. */
const HIDDEN = new Set(['docker', 'nvidia-smi', 'sudo', 'brev', 'podman']);

export function machineDir(root: string, id: string): string {
  return join(root, 'machines', id);
}

export function machineHome(root: string, id: string): string {
  return join(machineDir(root, id), 'home');
}

/** Makes the folder, the home and the tools of a new machine. */
export function buildMachine(root: string, cloud: Cloud, instance: Instance): void {
  const dir = machineDir(root, instance.id);
  mkdirSync(join(dir, 'bin'), { recursive: true });
  mkdirSync(machineHome(root, instance.id), { recursive: true });
  const offer = findOffer(instance.type);
  const gpuCount = offer?.gpu_count ?? (instance.kind === 'gpu' ? 1 : 0);
  const tools = ['sudo'];
  if (instance.docker) tools.push('docker');
  if (gpuCount > 0) tools.push('nvidia-smi');
  else writeFileSync(join(dir, 'no-gpu'), '');
  for (const tool of tools) writeTool(cloud, join(dir, 'bin', tool), tool);
  writeFileSync(join(dir, 'speed'), `${cloud.machineSpeed}\n`);
  writeFileSync(
    join(dir, 'machine.json'),
    JSON.stringify({
      name: instance.name,
      gpuName: offer === undefined || gpuCount === 0 ? (instance.gpu ?? '') : offer.gpu_name,
      gpuCount,
      vramMb: (offer?.vram_per_gpu_gb ?? 0) * 1024,
      driver: '570.172.08',
    }),
  );
}

/** The power goes: every process of the machine ends, the home stays. */
export async function haltMachine(root: string, id: string): Promise<void> {
  await killMarked(MACHINE_MARKER, machineDir(root, id));
}

/** The machine and its home are gone for good. */
export async function destroyMachine(root: string, id: string): Promise<void> {
  await haltMachine(root, id);
  rmSync(machineDir(root, id), { recursive: true, force: true, maxRetries: 5 });
}

/** A reset gives a fresh disk. */
export async function wipeMachine(root: string, cloud: Cloud, instance: Instance): Promise<void> {
  await destroyMachine(root, instance.id);
  buildMachine(root, cloud, instance);
}

/** PATH of a machine: its own tools, then the system's without the hidden commands. */
export function machinePath(root: string, id: string): string {
  const own = join(machineDir(root, id), 'bin');
  return [own, ...SYSTEM_PATH.map((dir) => withoutHidden(root, dir))].join(':');
}

function writeTool(cloud: Cloud, path: string, tool: string): void {
  writeFileSync(path, launcher(cloud, tool));
  chmodSync(path, 0o755);
}

/** An sh file that becomes node running one of our programs. Without the `--` node would read docker's `--env-file`. */
export function launcher(cloud: Pick<Cloud, 'nodePath' | 'programs'>, program: string): string {
  return `#!/bin/sh\nexec '${cloud.nodePath}' -- '${join(cloud.programs, `${program}.cjs`)}' "$@"\n`;
}

/** `dir` itself, or a farm of links to all of it but the hidden commands. */
function withoutHidden(root: string, dir: string): string {
  const names = existsSync(dir) ? readdirSync(dir) : [];
  if (!names.some((name) => HIDDEN.has(name))) return dir;
  const farm = join(root, 'system', dir.replaceAll('/', '_'));
  if (existsSync(join(farm, '.complete'))) return farm;
  mkdirSync(farm, { recursive: true });
  for (const name of names) {
    if (HIDDEN.has(name) || existsSync(join(farm, name))) continue;
    try {
      symlinkSync(join(dir, name), join(farm, name));
    } catch (error) {
      // Another call makes the same farm.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
  writeFileSync(join(farm, '.complete'), '');
  return farm;
}
