import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { VSCodeHost } from './vscode-host.ts';

// Half of the start-up time and most of the noise are features that no test or demo looks at (vscode-host.md, point 5).
const quiet = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'git.openRepositoryInParentFolders': 'never',
};

/** Writes a quiet workbench's settings, and `settings` over them, where a VS Code of this kind reads them. */
export async function writeSettings(
  kind: VSCodeHost['kind'],
  userDataDir: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  // A served VS Code keeps a user's settings in the browser; those of its machine are a file.
  const folder = path.join(userDataDir, kind === 'served' ? 'data/Machine' : 'User');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'settings.json'), JSON.stringify({ ...quiet, ...settings }, null, 2));
}
