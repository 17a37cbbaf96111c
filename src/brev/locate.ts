import { access, constants, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';

/** Where the CLI often is although a VS Code that was started from the dock doesn't look there. */
function usualFolders(home: string): readonly string[] {
  return [
    path.join(home, '.local/bin'),
    '/opt/homebrew/bin',
    '/usr/local/bin',
    '/home/linuxbrew/.linuxbrew/bin',
  ];
}

export interface LocateOptions {
  /** The setting `brev.path`; empty means: look for it. */
  readonly configured: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The absolute path of the CLI. A configured path is used or refused, never silently replaced. */
export async function locateCli(options: LocateOptions): Promise<Outcome<string>> {
  const home = options.environment.HOME ?? homedir();
  if (options.configured !== '') {
    const configured = options.configured.replace(/^~(?=\/)/, home);
    // a relative path would mean another file in each folder
    return path.isAbsolute(configured) && (await isExecutable(configured))
      ? ok(configured)
      : failed({
          kind: 'cliMissing',
          message: message(
            'The setting brev.path names {0}, which is not the absolute path of an executable file.',
            configured,
          ),
          action: 'chooseCliPath',
          retrySafe: true,
        });
  }
  const folders = (options.environment.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  for (const folder of [...folders, ...usualFolders(home)]) {
    const candidate = path.join(folder, 'brev');
    if (await isExecutable(candidate)) {
      return ok(candidate);
    }
  }
  return failed({
    kind: 'cliMissing',
    message: message('The Brev CLI is not installed, or not where VS Code looks for programs.'),
    action: 'openInstallPage',
    retrySafe: true,
  });
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // missing and forbidden are the same answer: not here
    return false;
  }
}
