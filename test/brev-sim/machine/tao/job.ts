import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { isConfig } from '../docker/container.ts';
import { type ContainerPaths, isReadOnly, toContainer, toHost } from '../docker/container-paths.ts';
import { readGpus } from '../gpu.ts';
import { readJsonIfThere } from '../json.ts';
import { simulationSpeed } from '../speed.ts';
import type { TaoCommand } from './command.ts';
import { TaoConsole } from './console.ts';
import { NETWORKS, type Network } from './networks.ts';
import type { Scenario } from './scenario.ts';
import type { Spec } from './spec.ts';

/** The container around a run. */
export interface Surroundings {
  paths: ContainerPaths;
  name: string;
  /** GPU indices that the container may use. */
  gpus: number[];
  gpuMemoryMiB: number;
  machine: string;
  dir: string;
  /** `--user`, '' for root. */
  user: string;
}

/** Reads the container that this process runs in. */
export function readSurroundings(env: NodeJS.ProcessEnv): Surroundings {
  const dir = env.BREV_SIM_CONTAINER_DIR ?? '';
  const config = readJsonIfThere(join(dir, 'config.json'));
  if (!isConfig(config)) throw new Error('the TAO player runs in a simulated container only');
  const machine = env.BREV_SIM_MACHINE ?? dirname(dirname(dirname(dir)));
  const machineGpus = readGpus(machine);
  const count =
    config.gpus === null ? 0 : config.gpus.count === -1 ? (machineGpus?.count ?? 0) : config.gpus.count;
  const gpus =
    config.gpus !== null && config.gpus.deviceIds.length > 0
      ? config.gpus.deviceIds.map((_id, index) => index)
      : Array.from({ length: Math.min(count, machineGpus?.count ?? 0) }, (_, index) => index);
  return {
    paths: { mounts: config.mounts, rootfs: join(dir, 'rootfs') },
    name: config.name,
    gpus,
    gpuMemoryMiB: machineGpus?.memoryMiB ?? 0,
    machine,
    dir,
    user: config.user,
  };
}

/** One action of one network: where it writes, how fast it goes, what it uses. */
export class Job {
  readonly command: TaoCommand;
  readonly network: Network;
  readonly spec: Spec;
  readonly scenario: Scenario;
  readonly around: Surroundings;
  readonly console: TaoConsole;
  readonly env: NodeJS.ProcessEnv;
  readonly speed: number;

  constructor(
    command: TaoCommand,
    spec: Spec,
    scenario: Scenario,
    around: Surroundings,
    env: NodeJS.ProcessEnv,
  ) {
    this.command = command;
    this.network = NETWORKS.get(command.network) ?? {
      title: command.network,
      checkpoint: 'model',
      metric: '',
      torchrun: false,
    };
    this.spec = spec;
    this.scenario = scenario;
    this.around = around;
    this.env = env;
    this.console = new TaoConsole(env, command.direct);
    this.speed = simulationSpeed(around.machine, env);
  }

  /** `<results_dir>/<action>` unless the action has a folder of its own (contract part 3); a container path. */
  get resultsDir(): string {
    const own = this.spec.text(`${this.command.action}.results_dir`);
    return own === '' ? posix.join(this.spec.text('results_dir'), this.command.action) : own;
  }

  get seed(): string {
    return this.env.TAO_JOB_ID ?? this.env.JOB_ID ?? this.around.name;
  }

  /** The GPUs that were asked for: torchrun's count, else the spec's. */
  get wantedGpus(): number[] {
    const action = this.command.action;
    const ids = this.spec.at(`${action}.gpu_ids`);
    const listed = Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
    const least = this.scenario === 'multi-gpu' || this.scenario === 'nccl-timeout' ? 2 : 1;
    const count = Math.max(
      this.command.processes ?? this.spec.number(`${action}.num_gpus`, 1),
      listed.length,
      least,
    );
    return listed.length === count ? listed : Array.from({ length: count }, (_, index) => index);
  }

  get distributed(): boolean {
    return this.wantedGpus.length > 1;
  }

  /** A knob of the simulation: TAO_SIM_<NAME> of the container, or `sim.<name>` of the spec. */
  knob(name: string, whenAbsent: number): number {
    const fromEnv = Number(this.env[`TAO_SIM_${name.toUpperCase()}`] ?? Number.NaN);
    return Number.isFinite(fromEnv) ? fromEnv : this.spec.number(`sim.${name}`, whenAbsent);
  }

  /** Bars have blocks where Python's streams are UTF-8, digits and hashes elsewhere. */
  get utf8Bars(): boolean {
    return /utf-?8/i.test(this.env.PYTHONIOENCODING ?? '');
  }

  /** The checkpoint stem; visual_changenet has two. */
  get checkpointStem(): string {
    return this.command.network === 'visual_changenet' && this.spec.text('task') === 'segment'
      ? 'changenet_model_segment'
      : this.network.checkpoint;
  }

  /** The script that the entrypoint runs, as tracebacks name it. */
  get script(): string {
    return `/usr/local/lib/python3.12/dist-packages/nvidia_tao_pytorch/cv/${this.command.network}/scripts/${this.command.action}.py`;
  }

  host(containerPath: string): string {
    return toHost(this.around.paths, containerPath);
  }

  shown(path: string): string {
    return toContainer(this.around.paths, path);
  }

  exists(containerPath: string): boolean {
    return existsSync(this.host(containerPath));
  }

  readOnly(containerPath: string): boolean {
    return isReadOnly(this.around.paths, containerPath);
  }

  makeFolder(containerPath: string): void {
    mkdirSync(this.host(containerPath), { recursive: true });
  }

  /** Waits in simulated time. */
  async pause(seconds: number): Promise<void> {
    await this.console.pause((seconds * 1000) / this.speed);
  }
}
