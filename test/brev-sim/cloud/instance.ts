import type { Timings } from './state.ts';

/** What an ssh client meets when it tries this instance. */
export type SshState =
  | 'ok'
  | 'refused'
  | 'timeout'
  | 'unresolvable'
  | 'key-rejected'
  | 'banner-hang'
  | 'kex-closed';

/** A change under way; its present phase follows from `since` and the clock. */
export type Motion =
  | { kind: 'deploy'; since: number; outcome: 'ok' | 'never' | 'failure'; message?: string }
  | { kind: 'start' | 'reset' | 'stop'; since: number }
  | { kind: 'delete'; since: number; lists?: number };

export interface Instance {
  id: string;
  name: string;
  type: string;
  orgId: string;
  owner: string;
  /** Users other than the owner who see it in a plain list. */
  shared: boolean;
  /** Raw state where no motion overrides it. */
  status: string;
  buildStatus: string;
  healthStatus: string;
  statusMessage: string;
  /** Overrides of what the list would derive. */
  shellStatus?: string;
  kind?: string;
  gpu?: string;
  /** Each list shows the next of these statuses, round and round. */
  cycle?: string[];
  motion?: Motion;
  ssh: SshState;
  sshHost: string;
  sshPort: number;
  sshUser: string;
  /** Reached through a proxy command instead of host and port. */
  sshProxyHostname?: string;
  docker: boolean;
  /** Where an exec starts; the home unless given. */
  startDir?: string;
  stoppable?: boolean;
  diskGb: number;
  cloudCredId: string;
  workspaceGroupId: string;
  createdAt: number;
}

/** An instance as it is at one moment. */
export interface Sight {
  status: string;
  buildStatus: string;
  healthStatus: string;
  statusMessage: string;
  ssh: SshState;
  gone: boolean;
}

/** Derives the present state of an instance from its recorded timestamps. */
export function look(instance: Instance, now: number, speed: number, timings: Timings): Sight {
  const { motion } = instance;
  if (motion === undefined) {
    const settled = pick(instance);
    return { ...settled, ssh: settled.status === 'RUNNING' ? instance.ssh : whenDown(settled.status) };
  }
  const elapsed = (now - motion.since) * speed;
  switch (motion.kind) {
    case 'deploy':
      return lookDeploying(instance, motion, elapsed, timings);
    case 'start':
    case 'reset': {
      const since = elapsed - timings.startMs;
      if (since < 0) return shade('STARTING', motion.kind === 'reset' ? 'PENDING' : instance.buildStatus);
      return running(instance, since, timings, motion.kind === 'reset');
    }
    case 'stop':
      return shade(elapsed < timings.stopMs ? 'STOPPING' : 'STOPPED', instance.buildStatus);
    case 'delete': {
      const gone = motion.lists === undefined ? elapsed >= timings.deleteMs : motion.lists <= 0;
      // "delete accepted, row stays": the service still calls it what it was.
      const status = motion.lists === undefined ? 'DELETING' : instance.status;
      return { ...shade(status, instance.buildStatus), gone };
    }
  }
}

function lookDeploying(
  instance: Instance,
  motion: Extract<Motion, { kind: 'deploy' }>,
  elapsed: number,
  timings: Timings,
): Sight {
  const since = elapsed - timings.deployMs;
  if (since < 0 || motion.outcome === 'never') {
    return { ...shade('DEPLOYING', elapsed < timings.deployMs / 4 ? '' : 'PENDING'), healthStatus: '' };
  }
  if (motion.outcome === 'failure') {
    return { ...shade('FAILURE', 'CREATE_FAILED'), statusMessage: motion.message ?? '' };
  }
  return running(instance, since, timings, true);
}

/** RUNNING comes first; the build and sshd follow later (features.md 6). */
function running(instance: Instance, since: number, timings: Timings, builds: boolean): Sight {
  return {
    status: 'RUNNING',
    buildStatus: builds && since < timings.buildMs ? 'BUILDING' : 'COMPLETED',
    healthStatus: instance.healthStatus === 'UNAVAILABLE' ? 'HEALTHY' : instance.healthStatus,
    statusMessage: '',
    ssh: since < timings.sshMs ? 'refused' : instance.ssh,
    gone: false,
  };
}

function shade(status: string, buildStatus: string): Sight {
  return {
    status,
    buildStatus,
    healthStatus: 'UNAVAILABLE',
    statusMessage: '',
    ssh: whenDown(status),
    gone: false,
  };
}

function whenDown(status: string): SshState {
  return status === 'STOPPED' || status === 'STOPPING' ? 'timeout' : 'refused';
}

function pick(instance: Instance): Omit<Sight, 'ssh'> {
  const { status, buildStatus, healthStatus, statusMessage } = instance;
  return { status, buildStatus, healthStatus, statusMessage, gone: false };
}
