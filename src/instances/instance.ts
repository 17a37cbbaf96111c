import { isUsableName } from '../brev/instanceName.ts';
import type { WorkspaceRow } from '../brev/ls.ts';

/** The state of an instance, one word for each that the CLI is known to say; anything else is unknown. */
export type InstanceStatus =
  | 'running'
  | 'unhealthy'
  | 'starting'
  | 'deploying'
  | 'stopping'
  | 'stopped'
  | 'deleting'
  | 'failed'
  | 'unknown';

/** A rented machine, as the last list told. */
export interface Instance {
  readonly id: string;
  readonly name: string;
  readonly status: InstanceStatus;
  /** The CLI's own words. */
  readonly reported: {
    readonly status: string;
    readonly build: string;
    readonly shell: string;
    readonly health: string;
  };
  readonly type: string;
  /** The GPU's name; undefined when the CLI doesn't say, which isn't the same as none (users.md B, #389). */
  readonly gpu: string | undefined;
  /** Whether commands may be run on it by name (brev-cli.md part 15, trap 7). */
  readonly usableName: boolean;
}

const STATUSES: Readonly<Record<string, InstanceStatus>> = {
  RUNNING: 'running',
  UNHEALTHY: 'unhealthy',
  STARTING: 'starting',
  DEPLOYING: 'deploying',
  STOPPING: 'stopping',
  STOPPED: 'stopped',
  DELETING: 'deleting',
  FAILURE: 'failed',
};

export function toInstance(row: WorkspaceRow): Instance {
  return {
    id: row.id,
    name: row.name,
    status: STATUSES[row.status.toUpperCase()] ?? 'unknown',
    reported: {
      status: row.status,
      build: row.build_status,
      shell: row.shell_status,
      health: row.health_status,
    },
    type: row.instance_type,
    gpu: row.gpu === '' || row.gpu === '-' ? undefined : row.gpu,
    usableName: isUsableName(row.name),
  };
}

/** Whether the machine is on: an unhealthy one runs and bills too. */
export function isOn(instance: Instance): boolean {
  return instance.status === 'running' || instance.status === 'unhealthy';
}

/** Whether the state will change by itself, so that it is worth looking often. */
export function isInTransition(instance: Instance): boolean {
  switch (instance.status) {
    case 'starting':
    case 'deploying':
    case 'stopping':
    case 'deleting':
      return true;
    case 'running':
    case 'unhealthy':
    case 'stopped':
    case 'failed':
    case 'unknown':
      return false;
  }
}

export function sameInstance(a: Instance, b: Instance): boolean {
  return (
    a.name === b.name &&
    a.status === b.status &&
    a.type === b.type &&
    a.gpu === b.gpu &&
    a.reported.status === b.reported.status &&
    a.reported.build === b.reported.build &&
    a.reported.shell === b.reported.shell &&
    a.reported.health === b.reported.health
  );
}
