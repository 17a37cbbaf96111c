import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths.ts';
import { newId } from './new-instance.ts';
import { builtPrograms } from './programs.ts';
import { type Cloud, type Dialect, type Timings, writeCloud } from './state.ts';
import { mintToken } from './tokens.ts';

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

/** Every process that the simulated brev starts carries this variable with the cloud's folder. */
export const PROCESS_MARKER = 'BREV_SIM_PROCESS';

const REALISTIC: Timings = {
  deployMs: 90_000,
  buildMs: 60_000,
  sshMs: 20_000,
  startMs: 60_000,
  stopMs: 30_000,
  deleteMs: 20_000,
};

/** Fills a folder with a new cloud, its `brev` and the home of its user. */
export async function foundCloud(root: string, options: SimOptions): Promise<void> {
  for (const dir of ['bin', 'libexec', 'machines', 'user']) mkdirSync(join(root, dir), { recursive: true });
  const version = options.version ?? '0.6.327';
  const dialect = options.dialect ?? 'public';
  const session = newId();
  // A test that esbuild has bundled doesn't know where our sources are; its environment does.
  const sourceDir = process.env.BREV_SIM_SOURCE ?? join(import.meta.dirname, '..');
  const cloud: Cloud = {
    dialect,
    version,
    speed: options.speed ?? 1,
    machineSpeed: options.machineSpeed ?? 1,
    timings: { ...REALISTIC, ...options.timings },
    nodePath: process.execPath,
    sourceDir,
    programs: await builtPrograms(sourceDir),
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
  executable(join(root, 'bin', 'brev'), brevLauncher(root, cloud.programs));
  for (const tool of ['ssh', 'ssh-agent']) {
    const path = join(root, 'libexec', tool);
    copyFileSync(join(cloud.sourceDir, 'remote', `${tool}.bash`), path);
    chmodSync(path, 0o755);
  }
  if (options.signedIn !== false) {
    const dir = join(root, 'user', '.brev');
    mkdirSync(dir, { recursive: true, mode: 0o750 });
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

/**
 * The real brev is a Go program that begins to work in some milliseconds, and a test run calls ours two thousand times:
 * Bun starts it in half of Node's time. It is not to read the `.env` of the folder that it is called in.
 */
function brevLauncher(root: string, programs: string): string {
  const bun = join(repositoryRoot, 'node_modules', '.bin', 'bun');
  return `#!/bin/sh
export BREV_SIM_ROOT='${root}' ${PROCESS_MARKER}='${root}'
exec '${bun}' --no-env-file '${join(programs, 'brev.cjs')}' "$@"
`;
}

function executable(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}
