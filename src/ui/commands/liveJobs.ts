import * as vscode from 'vscode';
import type { Instance } from '../../instances/instance.ts';
import { isTerminal } from '../../jobs/job.ts';
import type { Parts } from '../parts.ts';

/** The sentence that warns of jobs which may be running on these instances; none when there are none. */
export function liveJobsSentence(parts: Parts, instances: readonly Instance[]): readonly string[] {
  const ids = new Set(instances.map(({ id }) => id));
  const live = parts.jobs.all.filter((job) => ids.has(job.details.instanceId) && !isTerminal(job.state));
  return live.length === 0
    ? []
    : [vscode.l10n.t('Jobs that end with it: {0}', live.map((job) => job.details.id).join(', '))];
}
