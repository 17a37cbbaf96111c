import { constants, existsSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { downloadAndUnzipVSCode, SilentReporter } from '@vscode/test-electron';
import * as z from 'zod/mini';
import { codeServer } from './code-server.ts';
import { cacheRoot } from './paths.ts';

const manifest = z.object({ version: z.string() });

/** A VS Code to run in: a desktop one by its executable, or code-server (VS Code in a browser) by its folder. */
export type VSCodeHost =
  | {
      readonly kind: 'desktop';
      readonly version: string;
      readonly executable: string;
      readonly origin: string;
    }
  | { readonly kind: 'served'; readonly version: string; readonly folder: string; readonly origin: string };

/**
 * Chooses the VS Code: what VSCODE_HOST says (`desktop`, `served` or an executable's path), else an installed desktop
 * VS Code, else a downloaded one, else the served one.
 */
export async function chooseHost(say: (line: string) => void): Promise<VSCodeHost> {
  const wish = process.env.VSCODE_HOST;
  const host = await choose(wish, say);
  say(`VS Code host: ${describe(host)}`);
  return host;
}

/** The served VS Code, whatever else is here: what drives it needs a page. */
export async function servedHost(
  say: (line: string) => void,
): Promise<Extract<VSCodeHost, { kind: 'served' }>> {
  const host = await served('driven by Playwright', say);
  say(`VS Code host: ${describe(host)}`);
  return host;
}

function describe(host: VSCodeHost): string {
  return `${host.kind}, VS Code ${host.version} (${host.origin})`;
}

async function choose(wish: string | undefined, say: (line: string) => void): Promise<VSCodeHost> {
  if (wish === 'served') return await served('VSCODE_HOST', say);
  if (wish && wish !== 'desktop') return await desktop(path.resolve(wish), 'VSCODE_HOST');
  const desktopHost = hasScreen() ? ((await installed()) ?? (await downloaded(say))) : undefined;
  if (desktopHost) return desktopHost;
  if (wish === 'desktop')
    throw new Error(
      'VSCODE_HOST=desktop, but there is no screen, or VS Code is neither installed nor can be downloaded',
    );
  return await served('no desktop VS Code here', say);
}

async function served(
  origin: string,
  say: (line: string) => void,
): Promise<Extract<VSCodeHost, { kind: 'served' }>> {
  const folder = await codeServer(say);
  const text = await readFile(path.join(folder, 'lib/vscode/package.json'), 'utf8');
  return { kind: 'served', version: manifest.parse(JSON.parse(text)).version, folder, origin };
}

async function desktop(executable: string, origin: string): Promise<VSCodeHost> {
  await access(executable, constants.X_OK);
  return { kind: 'desktop', version: await versionBeside(executable), executable, origin };
}

// Electron's own --version isn't VS Code's. A run says the version that it really saw as well.
async function versionBeside(executable: string): Promise<string> {
  for (const folder of ['resources/app', '../Resources/app']) {
    const file = path.resolve(path.dirname(executable), folder, 'package.json');
    if (existsSync(file)) return manifest.parse(JSON.parse(await readFile(file, 'utf8'))).version;
  }
  return 'of unknown version';
}

async function installed(): Promise<VSCodeHost | undefined> {
  const executable = usualPlaces().find((file) => existsSync(file));
  return executable ? await desktop(executable, 'installed') : undefined;
}

function usualPlaces(): string[] {
  switch (process.platform) {
    case 'darwin': {
      const contents = '/Applications/Visual Studio Code.app/Contents/MacOS';
      return [`${contents}/Code`, `${contents}/Electron`];
    }
    case 'win32':
      return [
        path.join(process.env.LOCALAPPDATA ?? 'C:\\', 'Programs', 'Microsoft VS Code', 'Code.exe'),
        'C:\\Program Files\\Microsoft VS Code\\Code.exe',
      ];
    default:
      return [
        '/usr/share/code/code',
        '/opt/visual-studio-code/code',
        '/snap/code/current/usr/share/code/code',
      ];
  }
}

async function downloaded(say: (line: string) => void): Promise<VSCodeHost | undefined> {
  try {
    // The timeout is one of silence: without a network this fails at once, behind a silent firewall in a few seconds.
    const executable = await downloadAndUnzipVSCode({
      version: process.env.VSCODE_VERSION ?? 'stable',
      cachePath: path.join(cacheRoot, 'vscode-desktop'),
      reporter: new SilentReporter(),
      timeout: 5000,
    });
    return await desktop(executable, 'downloaded');
  } catch (error) {
    say(`No desktop VS Code: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    return undefined;
  }
}

// Electron opens a window; where there is no screen at all it can't start.
function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);
}
