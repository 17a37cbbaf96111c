import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instance } from './instance.ts';
import { withLock } from './lock.ts';

export type Dialect = 'public' | 'tao';

/** How long each change of state takes, in milliseconds of simulated time. */
export interface Timings {
  deployMs: number;
  buildMs: number;
  sshMs: number;
  startMs: number;
  stopMs: number;
  deleteMs: number;
}

export interface Org {
  id: string;
  name: string;
}

/** Somebody's own machine, joined to the org; never has a lifecycle. */
export interface ExternalNode {
  name: string;
  org_id: string;
  status: 'Connected' | 'Disconnected' | 'Unknown';
}

export interface Placement {
  cloudCredentials: { id: string; name: string }[];
  workspaceGroups: string[];
}

/** Everything that the simulated control plane knows; lives in `cloud.json`. */
export interface Cloud {
  dialect: Dialect;
  version: string;
  speed: number;
  timings: Timings;
  /** The node that runs the machines' tools. */
  nodePath: string;
  /** Where this simulator's sources are. */
  sourceDir: string;
  /** Where its programs are, as files for that node. */
  programs: string;
  /** Given to the machines as their own speed (docker pulls, training); independent of `speed`. */
  machineSpeed: number;
  user: { id: string; email: string; name: string };
  orgs: Org[];
  placement: Placement;
  /** Refresh sessions by key; a session that is not 'good' gets a 401. */
  sessions: Record<string, 'good' | 'revoked'>;
  /** What `--version` says is the latest. */
  latestVersion: string;
  /** How a person in a browser answers `brev login`. */
  browserLogin: 'completes' | 'never' | 'refused';
  /** What refresh writes to `brev.pem`; a real key where a test runs a real sshd. */
  privateKey: string;
  soldOut: string[];
  nodes: ExternalNode[];
  instances: Instance[];
}

/** A consistent snapshot; needs no lock because writes replace the file. */
export function readCloud(root: string): Cloud {
  const cloud: Cloud = JSON.parse(readFileSync(join(root, 'cloud.json'), 'utf8'));
  return cloud;
}

/** Changes the cloud under the lock and gives back what the change returned. */
export function updateCloud<T>(root: string, change: (cloud: Cloud) => T): T {
  return withLock(root, () => {
    const cloud = readCloud(root);
    const result = change(cloud);
    writeCloud(root, cloud);
    return result;
  });
}

export function writeCloud(root: string, cloud: Cloud): void {
  writeAtomic(join(root, 'cloud.json'), `${JSON.stringify(cloud, null, 1)}\n`);
}

/** Readers see the old text or the new one, never a part. */
export function writeAtomic(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

/** Is this CLI version at least the given one (`0.6.320`)? */
export function isAtLeast(version: string, floor: string): boolean {
  const left = version.split('.').map(Number);
  const right = floor.split('.').map(Number);
  for (const [index, wanted] of right.entries()) {
    const got = left[index] ?? 0;
    if (got !== wanted) return got > wanted;
  }
  return true;
}
