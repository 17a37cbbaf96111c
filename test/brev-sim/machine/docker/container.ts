import { isRecord } from '../json.ts';

/** One mount: where the container sees it and where it really is on this host. */
export interface Mount {
  type: 'bind' | 'volume' | 'tmpfs';
  /** What the user wrote: a host path, a volume's name, or ''. */
  source: string;
  hostPath: string;
  target: string;
  readOnly: boolean;
}

/** `--gpus`: count -1 is all. */
export interface GpuRequest {
  count: number;
  deviceIds: string[];
  capabilities: string[];
}

/** What is fixed when a container is created. */
export interface ContainerConfig {
  id: string;
  name: string;
  created: string;
  image: string;
  imageId: string;
  /** The words that run: entrypoint and command. */
  argv: string[];
  entrypoint: string[];
  cmd: string[];
  env: string[];
  labels: Record<string, string>;
  hostname: string;
  user: string;
  workdir: string;
  tty: boolean;
  openStdin: boolean;
  mounts: Mount[];
  gpus: GpuRequest | null;
  autoRemove: boolean;
  init: boolean;
  ipcMode: string;
  shmSize: number;
  memory: number;
  networkMode: string;
  privileged: boolean;
  restart: { name: string; maximumRetryCount: number };
  logDriver: string;
  logOptions: Record<string, string>;
  ulimits: { name: string; soft: number; hard: number }[];
  stopSignal: string;
  stopTimeout: number | null;
}

export type ContainerStatus = 'created' | 'running' | 'paused' | 'exited' | 'dead' | 'removing';

/** What changes while a container lives; its runner writes it. */
export interface ContainerState {
  status: ContainerStatus;
  pid: number;
  exitCode: number;
  oomKilled: boolean;
  error: string;
  startedAt: string;
  finishedAt: string;
}

/** True for what this simulator once wrote as a config. */
export function isConfig(value: unknown): value is ContainerConfig {
  return isRecord(value) && typeof value.id === 'string' && Array.isArray(value.argv);
}

/** True for what this simulator once wrote as a state. */
export function isState(value: unknown): value is ContainerState {
  return isRecord(value) && typeof value.status === 'string' && typeof value.exitCode === 'number';
}
