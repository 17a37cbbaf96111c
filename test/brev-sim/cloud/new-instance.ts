import { randomInt } from 'node:crypto';
import type { Instance } from './instance.ts';
import { buildMachine } from './machine.ts';
import { type Cloud, updateCloud } from './state.ts';

export interface Birth extends Partial<Omit<Instance, 'id'>> {
  name: string;
  type: string;
  orgId: string;
  owner: string;
}

/** A record with everything that the birth leaves open; deploying from now on unless a status is given. */
export function newInstance(cloud: Cloud, birth: Birth): Instance {
  const now = Date.now();
  return {
    id: newId(),
    shared: false,
    status: 'RUNNING',
    buildStatus: 'COMPLETED',
    healthStatus: 'HEALTHY',
    statusMessage: '',
    ...(birth.status === undefined ? { motion: { kind: 'deploy', since: now, outcome: 'ok' } } : {}),
    ssh: 'ok',
    // A port where nobody listens: a real ssh is refused at once and the caller falls back to exec.
    sshHost: '127.0.0.1',
    sshPort: 1,
    sshUser: 'ubuntu',
    docker: true,
    diskGb: 120,
    cloudCredId: cloud.placement.cloudCredentials[0]?.id ?? '',
    workspaceGroupId: cloud.placement.workspaceGroups[0] ?? '',
    createdAt: now,
    ...birth,
  };
}

/** Adds the instance and builds its machine before anybody can see it. */
export function addInstance(root: string, instance: Instance): void {
  updateCloud(root, (cloud) => {
    buildMachine(root, cloud, instance);
    cloud.instances.push(instance);
  });
}

/** Like the real ids: nine lower-case letters and digits. */
export function newId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length: 9 }, () => letters[randomInt(letters.length)]).join('');
}
