import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { installDebianPackage } from './debianPackage.ts';

// the shell first: a whole browser takes an eighth more for what nobody sees
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A Chromium on this machine (CHROMIUM names one explicitly); installs Debian's when root and there is none. */
export async function findChromium(say: (line: string) => void): Promise<string> {
  const found =
    (await search()) ??
    ((await installDebianPackage('chromium-headless-shell', say)) ? await search() : undefined);
  if (found) return found;
  throw new Error(
    'No Chromium here. Install it (Debian: apt-get install chromium-headless-shell) or name one in the variable CHROMIUM.',
  );
}

/** A headless Chromium; the environment is what its processes inherit. */
export async function launchChromium(executable: string, env: NodeJS.ProcessEnv): Promise<Browser> {
  const defined = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return await chromium.launch({
    executablePath: executable,
    args: flags,
    env: Object.fromEntries(defined),
    // Whoever called us ends the browser with the rest.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: 60_000,
  });
}

async function search(): Promise<string | undefined> {
  const named = process.env.CHROMIUM;
  if (named) return named;
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
      const file = path.join(folder, name);
      const usable = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (usable) return file;
    }
  }
  return undefined;
}
