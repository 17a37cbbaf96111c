import * as vscode from 'vscode';
import { isTerminal, type Job } from '../../jobs/job.ts';
import type { RouteState } from '../../remote/instanceRoute.ts';
import { localize } from '../localize.ts';
import { jobTooltip } from './jobItem.ts';
import type { JobProgress } from './jobProgress.ts';

/** The way to an instance; undefined while nobody has asked for a shell on it. */
export type FindRoute = (instanceId: string) => Promise<RouteState | undefined>;

/** The hover of a job, with the way to it while it lasts, and whether it has become silent. */
export async function tooltipOf(
  job: Job,
  route: FindRoute,
  progress: Pick<JobProgress, 'silence'>,
): Promise<vscode.MarkdownString> {
  const goesToInstance = job.details.platform !== 'lepton' && !job.foreign && !isTerminal(job.state);
  const state = goesToInstance ? await route(job.details.instanceId) : undefined;
  return jobTooltip(
    job,
    state === undefined ? undefined : routeWords(state),
    progress.silence(job.details.id),
  );
}

function routeWords(state: RouteState): string | undefined {
  switch (state.route) {
    case 'undecided':
      return undefined;
    case 'ssh':
      return vscode.l10n.t('ssh: one shared connection');
    case 'exec':
      return vscode.l10n.t('brev exec, because: {0}', localize(state.reason));
  }
}
