import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { resolveCliArgsFromVSCodeExecutablePath } from '@vscode/test-electron';
import type { Profile } from '../support/code-server-window.ts';
import { endGroup } from '../support/processes.ts';

const run = promisify(execFile);

/** Opens a desktop VS Code with the VSIX installed in a profile of its own; resolves when its window was closed. */
export async function openDesktop(options: {
  readonly executable: string;
  readonly profile: Profile;
  readonly vsix: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { executable, profile, env } = options;
  const flags = [`--user-data-dir=${profile.userDataDir}`, `--extensions-dir=${profile.extensionsDir}`];
  const [cli] = resolveCliArgsFromVSCodeExecutablePath(executable);
  await run(cli ?? executable, [...flags, '--install-extension', options.vsix], {
    env,
    timeout: 90_000,
    // On Windows the CLI is a .cmd file.
    shell: process.platform === 'win32',
  });
  const child = spawn(
    executable,
    [options.folder, ...flags, '--disable-workspace-trust', '--force-disable-user-env', '--skip-welcome'],
    { env, stdio: 'ignore', detached: true },
  );
  const close = () => void endGroup(child);
  options.signal.addEventListener('abort', close);
  if (options.signal.aborted) close();
  await once(child, 'exit');
}
