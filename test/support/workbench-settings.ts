import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

// Half of the start-up time and most of the noise are features that no test or demo looks at (vscode-host.md, point 5).
const quiet = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.reduceMotion': 'on',
  // looks for ports every two seconds, with a `ps` and an `ls` of each process
  'remote.autoForwardPorts': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'git.enabled': false,
  'terminal.integrated.suggest.enabled': false,
};

/** The settings file of a profile: a user's, or the machine's where the user's are kept in the browser. */
export function settingsFile(userDataDir: string, whose: 'user' | 'machine'): string {
  return path.join(userDataDir, whose === 'user' ? 'User' : 'data/Machine', 'settings.json');
}

/** Writes the settings of a quiet workbench, and `settings` over them. */
export async function writeSettings(
  file: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ ...quiet, ...settings }, null, 2));
}
