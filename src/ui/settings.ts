import * as vscode from 'vscode';
import type { ReadinessSettings } from '../instances/readiness.ts';

/** A number from the settings within its bounds: a hand-edited file may hold anything. */
function bounded(key: string, fallback: number, min: number, max: number): number {
  const value: unknown = vscode.workspace.getConfiguration('brev').get(key);
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : fallback;
}

function text(section: string, key: string, scope?: vscode.Uri): string {
  const value: unknown = vscode.workspace.getConfiguration(section, scope ?? null).get(key);
  return typeof value === 'string' ? value.trim() : '';
}

/** The settings, read when they are needed: there is no copy to keep up to date. */
export const settings = {
  cliPath: (): string => text('brev', 'path'),
  /** The interpreter for the TAO SDK; empty for an environment of our own. */
  sdkPython: (): string => text('brev', 'sdk.python'),
  /** The workspace on Lepton, where nothing else names one. */
  leptonWorkspace: (): string => text('brev', 'lepton.workspace'),
  taoImage: (scope?: vscode.Uri): string => text('brev', 'tao.image', scope),
  /** The image that the user has set for TAO, rather than the default. */
  ownTaoImage: (scope: vscode.Uri): string | undefined => {
    const image = text('brev', 'tao.image', scope);
    const usual: unknown = vscode.workspace
      .getConfiguration('brev', scope)
      .inspect('tao.image')?.defaultValue;
    return image === '' || image === usual ? undefined : image;
  },
  specDiagnostics: (scope: vscode.Uri): boolean =>
    vscode.workspace.getConfiguration('brev', scope).get<unknown>('specs.diagnostics') !== false,
  readiness: (): ReadinessSettings => ({
    intervalMs: bounded('ready.probeIntervalSeconds', 5, 1, 60) * 1_000,
    deadlineMs: bounded('ready.timeoutMinutes', 5, 1, 60) * 60_000,
    stuckMs: bounded('create.stuckMinutes', 10, 0.1, 120) * 60_000,
  }),
  refresh: (): { readonly steadyMs: number; readonly transitionMs: number } => ({
    steadyMs: bounded('refresh.steadySeconds', 45, 5, 3_600) * 1_000,
    transitionMs: bounded('refresh.transitionSeconds', 4, 1, 60) * 1_000,
  }),
  /** After how long without a job an instance is asked about; 0 for never. */
  idleReminderMs: (): number => bounded('idleReminderMinutes', 20, 0, 1_440) * 60_000,
  /** After how long without output a running job is marked so; 0 for never. */
  silentJobMs: (): number => bounded('jobs.silentMinutes', 10, 0, 1_440) * 60_000,
  /** Proxy variables for the CLI, which doesn't know VS Code's own setting (users.md G, coder #1012). */
  proxyEnvironment: (): Record<string, string> => {
    const proxy = text('http', 'proxy');
    if (proxy === '' || text('http', 'proxySupport') === 'off') {
      return {};
    }
    const noProxy: unknown = vscode.workspace.getConfiguration('http').get('noProxy');
    return {
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      ...(Array.isArray(noProxy) && noProxy.length > 0 ? { NO_PROXY: noProxy.join(',') } : {}),
    };
  },
};
