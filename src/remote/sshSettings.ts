import { homedir } from 'node:os';
import path from 'node:path';
import type { Run } from '../process/run.ts';
import { ControlFolder } from './controlFolder.ts';
import type { SshSettings } from './sshMaster.ts';

/** How ssh is run here; undefined on Windows, whose ssh can't share connections. */
export function sshSettings(options: {
  readonly run: Run;
  /** The environment of the CLI's calls: its HOME is where the CLI keeps its files. */
  readonly environment: () => Record<string, string>;
  readonly platform?: NodeJS.Platform;
  readonly control?: ControlFolder;
}): SshSettings | undefined {
  const { environment, platform = process.platform, run } = options;
  return platform === 'win32'
    ? undefined
    : {
        run,
        environment,
        program: 'ssh',
        configFile: () => path.join(environment().HOME || homedir(), '.brev', 'ssh_config'),
        control: options.control ?? new ControlFolder(),
        connectTimeoutSeconds: 10,
        idleSeconds: 30,
      };
}
