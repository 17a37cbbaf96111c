import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ServedVSCode, startServer } from './served-server.ts';

const run = promisify(execFile);

/** Where a person's VS Code keeps its things. */
export interface Profile {
  readonly userDataDir: string;
  readonly extensionsDir: string;
}

/** A person's VS Code in the browser, with the VSIX installed and a folder open. */
export interface CodeServerWindow extends ServedVSCode {
  readonly url: string;
}

/** Installs the VSIX into the profile and serves VS Code on a loopback address. */
export async function openCodeServer(options: {
  /** code-server's folder. */
  readonly codeServer: string;
  readonly profile: Profile;
  readonly vsix: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
}): Promise<CodeServerWindow> {
  const entry = path.join(options.codeServer, 'out/node/entry.js');
  const profile = [
    `--user-data-dir=${options.profile.userDataDir}`,
    `--extensions-dir=${options.profile.extensionsDir}`,
  ];
  await run(process.execPath, [entry, ...profile, '--install-extension', options.vsix], {
    env: options.env,
    timeout: 90_000,
  });
  const server = await startServer({
    script: entry,
    args: [
      '--bind-addr=127.0.0.1:0',
      '--auth=none',
      ...profile,
      '--disable-workspace-trust',
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
      '--ignore-last-opened',
      // Else the person's login shell decides on the PATH, and the simulated CLI isn't on it.
      '--vscode-option=force-disable-user-env',
      options.folder,
    ],
    env: options.env,
    logFile: options.logFile,
    ready: /HTTP server listening on http:\/\/127\.0\.0\.1:(\d+)/,
  });
  return { ...server, url: `http://127.0.0.1:${server.port}/?folder=${encodeURIComponent(options.folder)}` };
}
