import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Sim } from '../brev-sim/sim.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import type { Profile } from '../support/code-server-window.ts';
import { killMarked, RUN_MARK } from '../support/processes.ts';
import { packageExtension } from '../support/vsix.ts';
import { settingsFile, writeSettings } from '../support/workbench-settings.ts';
import { type CloudSpeed, demoCloud } from './cloud.ts';

/** What a demo's VS Code runs with; all of it is new and goes with the demo. */
export interface DemoSession {
  readonly profile: Profile;
  readonly vsix: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly cloud: Sim;
}

/** Sets a demo up, lets `use` work with it and clears it away; keeps the logs when `use` throws or returns 1. */
export async function withSession(
  speed: CloudSpeed,
  settings: Readonly<Record<string, unknown>>,
  use: (session: DemoSession) => Promise<number>,
): Promise<number> {
  const mark = randomUUID();
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'brev-demo-')));
  let code: number | undefined;
  try {
    const cloud = await demoCloud(path.join(root, 'cloud'), speed);
    try {
      code = await use(await session(root, cloud, mark, settings));
      return code;
    } finally {
      await cloud.dispose();
    }
  } finally {
    for (const left of await killMarked(mark)) console.log(`Still ran and was killed: ${left}`);
    if (code === undefined || code === 1) console.log(`Logs: ${root}`);
    else await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function session(
  root: string,
  cloud: Sim,
  mark: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<DemoSession> {
  const profile = { userDataDir: path.join(root, 'user-data'), extensionsDir: path.join(root, 'extensions') };
  await mkdir(profile.extensionsDir);
  await writeSettings(settingsFile(profile.userDataDir, 'user'), settings);
  const folder = path.join(root, 'road-scenes');
  await cp(path.join(import.meta.dirname, 'project'), folder, { recursive: true });
  const { file } = await packageExtension();
  const env = { ...cleanEnvironment(), ...cloud.env, [RUN_MARK]: mark };
  return { profile, vsix: file, folder, env, logFile: path.join(root, 'server.log'), cloud };
}
