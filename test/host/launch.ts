import path from 'node:path';
import type { Writable } from 'node:stream';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { type HostRun, RUN_FOLDER } from '../support/host-run.ts';
import { repositoryRoot } from '../support/paths.ts';
import { RUN_MARK } from '../support/processes.ts';
import type { VSCodeHost } from '../support/vscode-host.ts';
import type { HostEnvironment } from './environment.ts';
import type { HostSuite } from './suites.ts';

const support = path.join(repositoryRoot, 'test/support');

/** Runs all phases of a suite in VS Code; returns what went wrong with the run as a whole. */
export async function launch(options: {
  readonly suite: HostSuite;
  readonly host: VSCodeHost;
  readonly run: HostRun;
  readonly index: string;
  readonly environment: HostEnvironment;
  readonly mark: string;
  readonly output: Writable;
}): Promise<string | undefined> {
  const { suite, host, run, environment, output } = options;
  const start = async () =>
    await runTests({
      vscodeExecutablePath: executableFor(host, suite),
      extensionDevelopmentPath: repositoryRoot,
      extensionTestsPath: options.index,
      launchArgs: [
        environment.folder,
        `--user-data-dir=${run.file('user-data')}`,
        `--extensions-dir=${run.file('extensions')}`,
        '--force-disable-user-env',
      ],
      extensionTestsEnv: {
        HOME: run.file('home'),
        ...environment.env,
        [RUN_FOLDER]: run.folder,
        [RUN_MARK]: options.mark,
        ...(host.kind === 'desktop' ? { VSCODE_DESKTOP: host.executable } : {}),
      },
      stdout: output,
      stderr: output,
    });
  dropPersonalEnvironment();
  try {
    if (host.kind === 'served') {
      // The launcher reloads the page between the phases, and sets the phase itself.
      await start();
    } else {
      // A desktop window can't be reloaded from outside: the same profile and folder in a new one come closest.
      for (const phase of suite.phases.keys()) {
        await run.setPhase(phase);
        await start();
      }
    }
    return undefined;
  } catch (error) {
    if (error instanceof TestRunFailedError) return error.message;
    throw error;
  }
}

function executableFor(host: VSCodeHost, suite: HostSuite): string {
  if (host.kind === 'served') return path.join(support, 'served-vscode');
  if (!suite.restricted) return host.executable;
  if (process.platform === 'win32')
    throw new Error('Restricted mode needs a shell script as the launcher: not on Windows');
  return path.join(support, 'desktop-restricted');
}

// runTests merges its environment into this process's own, so what mustn't get through has to go here.
function dropPersonalEnvironment(): void {
  const clean = cleanEnvironment();
  for (const name of Object.keys(process.env)) if (!(name in clean)) delete process.env[name];
}
