import { fieldOf } from './fields.ts';
import type { Invocation, Run } from './run.ts';
import { reachServer } from './session.ts';
import { readBrevFile, writeBrevFile } from './user-files.ts';

/** `brev --version` */
export function printVersion(run: Run, skipCheck: boolean): void {
  if (skipCheck || run.cloud().latestVersion === run.version) run.out(`Current Version: v${run.version}\n`);
  else {
    const latest = run.cloud().latestVersion;
    run.out(
      `A new version of brev has been released!\nCurrent version: v${run.version}\nNew Version: v${latest}\nTo update to latest version run:\n\nbrev upgrade\n`,
    );
  }
}

/** Does this call report itself? Only exactly `1` opts out, and only since 0.6.323; before, it was opt-in. */
export function hasAnalytics(run: Run): boolean {
  if (!run.since('0.6.323')) return false;
  const { DO_NOT_TRACK, BREV_NO_ANALYTICS } = process.env;
  if (DO_NOT_TRACK === '1' || BREV_NO_ANALYTICS === '1') return false;
  const text = readBrevFile(run, 'personal_settings.json');
  return text === undefined || fieldOf(JSON.parse(text), 'analytics_enabled') !== false;
}

export async function analytics({ run, args }: Invocation): Promise<void> {
  const on = args[0] === 'on';
  writeBrevFile(run, 'personal_settings.json', JSON.stringify({ analytics_enabled: on }));
  run.out(`Analytics ${on ? 'enabled' : 'disabled'}\n`);
}

export async function healthcheck({ run }: Invocation): Promise<void> {
  try {
    reachServer(run, '/api/health');
  } catch (error) {
    run.out('Not Healthy!\n');
    throw error;
  }
  run.out('Healthy!\n');
}

export async function upgrade({ run }: Invocation): Promise<void> {
  run.out(`brev is up to date (v${run.version})\n`);
}

export async function workspaceGroups({ run }: Invocation): Promise<void> {
  run.out(
    run
      .cloud()
      .placement.workspaceGroups.map((group) => `${group}\n`)
      .join(''),
  );
}
